/**
 * Functions of Spark that nilas knows by name only: a call is refused, so that nobody takes their
 * absence for a misspelt name.
 */
#include "function/table.h"

#define REFUSED(name)                                                                              \
    { SCALAR, name, "any... -> string", "@refused", SYNTAX, NULL }
#define LATER(name)                                                                                \
    { SCALAR, name, "any... -> string", "@refused", SYNTAX | UNLISTED, NULL }
#define LATER_AGGREGATE(name)                                                                      \
    { AGGREGATE, name, "any... -> string", "@refused", SYNTAX | UNLISTED, NULL }
#define REFUSED_AGGREGATE(name)                                                                    \
    { AGGREGATE, name, "any... -> string", "@refused", SYNTAX, NULL }

const nilas_function nilas_function__refused[] = {
    REFUSED("cast"), // its syntax is bind's
    // Avro and Protobuf inside columns
    REFUSED("from_avro"),
    REFUSED("to_avro"),
    REFUSED("schema_of_avro"),
    REFUSED("from_protobuf"),
    REFUSED("to_protobuf"),
    // XML
    REFUSED("from_xml"),
    REFUSED("to_xml"),
    REFUSED("schema_of_xml"),
    REFUSED("xpath"),
    REFUSED("xpath_boolean"),
    REFUSED("xpath_double"),
    REFUSED("xpath_float"),
    REFUSED("xpath_int"),
    REFUSED("xpath_long"),
    REFUSED("xpath_number"),
    REFUSED("xpath_short"),
    REFUSED("xpath_string"),
    // Java
    REFUSED("java_method"),
    REFUSED("reflect"),
    REFUSED("try_reflect"),
    // sketches; theta and KLL came with Spark 4.1
    REFUSED_AGGREGATE("count_min_sketch"),
    REFUSED_AGGREGATE("hll_sketch_agg"),
    REFUSED_AGGREGATE("hll_union_agg"),
    REFUSED("hll_sketch_estimate"),
    REFUSED("hll_union"),
    LATER_AGGREGATE("theta_sketch_agg"),
    LATER_AGGREGATE("theta_union_agg"),
    LATER_AGGREGATE("theta_intersection_agg"),
    LATER("theta_sketch_estimate"),
    LATER("theta_union"),
    LATER("theta_difference"),
    LATER("theta_intersection"),
    LATER_AGGREGATE("kll_sketch_agg_bigint"),
    LATER_AGGREGATE("kll_sketch_agg_double"),
    LATER_AGGREGATE("kll_sketch_agg_float"),
};
NILAS_FUNCTION_COUNT(nilas_function__refused);
