/*
 * Spark's settings that its clients ask for, with Spark's defaults. What means something here
 * stands in the session room; what stands here only tells clients how Spark would behave.
 */
#include "connect/config.h"

typedef struct config_key {
    const char *key;
    const char *value; // NULL: has no default
} config_key;

// clang-format off
static const config_key keys[] = {
    {"spark.connect.session.planCompression.defaultAlgorithm", "ZSTD"},
    {"spark.connect.session.planCompression.threshold", "10485760"},
    {"spark.python.sql.dataFrameDebugging.enabled", "true"},
    {"spark.sql.adaptive.enabled", "true"},
    {"spark.sql.analyzer.failAmbiguousSelfJoin", "true"},
    {"spark.sql.autoBroadcastJoinThreshold", "10485760b"},
    {"spark.sql.columnNameOfCorruptRecord", "_corrupt_record"},
    {"spark.sql.connect.serverStacktrace.enabled", "false"},
    {"spark.sql.crossJoin.enabled", "true"},
    {"spark.sql.datetime.java8API.enabled", "false"},
    {"spark.sql.execution.arrow.enabled", "true"},
    {"spark.sql.execution.arrow.localRelationThreshold", "49152b"},
    {"spark.sql.execution.arrow.maxBytesPerBatch", "9223372036854775807"},
    {"spark.sql.execution.arrow.maxRecordsPerBatch", "10000"},
    {"spark.sql.execution.arrow.pyspark.enabled", "true"},
    {"spark.sql.execution.arrow.pyspark.fallback.enabled", "true"},
    {"spark.sql.execution.arrow.pyspark.selfDestruct.enabled", "false"},
    {"spark.sql.execution.arrow.useLargeVarTypes", "false"},
    {"spark.sql.execution.pandas.convertToArrowArraySafely", "false"},
    {"spark.sql.execution.pandas.inferPandasDictAsMap", "false"},
    {"spark.sql.execution.pandas.structHandlingMode", "legacy"},
    {"spark.sql.execution.pyspark.binaryAsBytes", "true"},
    {"spark.sql.execution.pythonUDF.arrow.enabled", "false"},
    {"spark.sql.execution.pythonUDTF.arrow.enabled", "false"},
    {"spark.sql.leafNodeDefaultParallelism", "2"},
    {"spark.sql.legacy.setCommandRejectsSparkCoreConfs", "true"},
    {"spark.sql.legacy.timeParserPolicy", "EXCEPTION"},
    {"spark.sql.mapKeyDedupPolicy", "EXCEPTION"},
    {"spark.sql.maxPlanStringLength", "2147483632"},
    {"spark.sql.optimizer.maxIterations", "100"},
    {"spark.sql.pivotMaxValues", "10000"},
    {"spark.sql.pyspark.dataFrameDebugging.enabled", "true"},
    {"spark.sql.pyspark.inferNestedDictAsStruct.enabled", "false"},
    {"spark.sql.pyspark.jvmStacktrace.enabled", "false"},
    {"spark.sql.pyspark.legacy.inferArrayTypeFromFirstElement.enabled", "false"},
    {"spark.sql.pyspark.legacy.inferMapTypeFromFirstPair.enabled", "false"},
    {"spark.sql.pyspark.plotting.max_rows", "1000"},
    {"spark.sql.pyspark.toJSON.returnDataFrame", "false"},
    {"spark.sql.pyspark.udf.profiler", NULL},
    {"spark.sql.pyspark.worker.logging.enabled", "false"},
    {"spark.sql.readSideCharPadding", "true"},
    {"spark.sql.repl.eagerEval.enabled", "false"},
    {"spark.sql.repl.eagerEval.maxNumRows", "20"},
    {"spark.sql.repl.eagerEval.truncate", "20"},
    {"spark.sql.session.localRelationBatchOfChunksSizeBytes", "1073741824"},
    {"spark.sql.session.localRelationCacheThreshold", "67108864"},
    {"spark.sql.session.localRelationChunkSizeBytes", "16777216"},
    {"spark.sql.session.localRelationChunkSizeRows", "10000"},
    {"spark.sql.session.localRelationSizeLimit", "3221225472"},
    {"spark.sql.sources.default", "parquet"},
    {"spark.sql.sources.partitionColumnTypeInference.enabled", "true"},
    {"spark.sql.statistics.histogram.enabled", "false"},
    {"spark.sql.streaming.checkpointLocation", NULL},
    {"spark.sql.timeTravelTimestampKey", "timestampAsOf"},
    {"spark.sql.timeTravelVersionKey", "versionAsOf"},
    {"spark.sql.ui.explainMode", "formatted"},
    {"spark.sql.variable.substitute", "true"},
};

/** Belong to Spark's processes and are fixed when they start. */
static const config_key static_keys[] = {
    {"spark.sql.cache.serializer",
     "org.apache.spark.sql.execution.columnar.DefaultCachedBatchSerializer"},
    {"spark.sql.catalogImplementation", "in-memory"},
    {"spark.sql.event.truncate.length", "2147483647"},
    {"spark.sql.extensions", NULL},
    {"spark.sql.filesourceTableRelationCacheSize", "1000"},
    {"spark.sql.globalTempDatabase", "global_temp"},
    {"spark.sql.legacy.sessionInitWithConfigDefaults", "false"},
    {"spark.sql.queryExecutionListeners", NULL},
    {"spark.sql.sources.schemaStringLengthThreshold", "4000"},
    {"spark.sql.streaming.streamingQueryListeners", NULL},
    {"spark.sql.streaming.ui.enabled", "true"},
    {"spark.sql.ui.retainedExecutions", "1000"},
    {"spark.sql.warehouse.dir", "spark-warehouse"},
};
// clang-format on

static const config_key *find_key(const config_key *list, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].key, key) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

static const config_key *find_any(const char *key) {
    const config_key *found = find_key(keys, sizeof(keys) / sizeof(keys[0]), key);
    return found != NULL ? found
                         : find_key(static_keys, sizeof(static_keys) / sizeof(static_keys[0]), key);
}

const char *nilas_connect__config_default(const char *key) {
    const config_key *found = find_any(key);
    return found != NULL ? found->value : NULL;
}

bool nilas_connect__config_is_known(const char *key) {
    return find_any(key) != NULL;
}

bool nilas_connect__config_is_static(const char *key) {
    return find_key(static_keys, sizeof(static_keys) / sizeof(static_keys[0]), key) != NULL;
}
