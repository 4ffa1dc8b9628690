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
    // of Spark 4.1 and later, as its clients name them
    LATER("current_path"),
    LATER("current_time"),
    LATER("is_valid_variant"),
    LATER("make_time"),
    LATER("st_asbinary"),
    LATER("st_geogfromwkb"),
    LATER("st_geomfromwkb"),
    LATER("st_setsrid"),
    LATER("st_srid"),
    LATER("time_bucket"),
    LATER("time_diff"),
    LATER("time_from_micros"),
    LATER("time_from_millis"),
    LATER("time_from_seconds"),
    LATER("time_to_micros"),
    LATER("time_to_millis"),
    LATER("time_to_seconds"),
    LATER("time_trunc"),
    LATER("to_time"),
    LATER("try_to_time"),
    LATER("tuple_difference_double"),
    LATER("tuple_difference_integer"),
    LATER("tuple_difference_theta_double"),
    LATER("tuple_difference_theta_integer"),
    LATER("tuple_sketch_theta_double"),
    LATER("tuple_sketch_theta_integer"),
};
NILAS_FUNCTION_COUNT(nilas_function__refused);
