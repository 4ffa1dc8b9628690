/* Numbers for things. */
#include "engine/registry.h"
#include "test.h"

NILAS_TEST(numbers_find_things_of_their_kind_only) {
    nilas_registry registry;
    nilas_error err = NILAS_ERROR_INIT;
    int things[40];
    int32_t id = -1;
    nilas_registry__init(&registry);
    for (int i = 0; i < 40; i++) {
        REQUIRE_OK(nilas_registry__add(&registry, NILAS_REGISTRY_SCAN, &things[i], &id, &err), err);
        CHECK_INT(id, i);
    }
    CHECK(nilas_registry__find(&registry, NILAS_REGISTRY_SCAN, 7) == &things[7]);
    CHECK(nilas_registry__find(&registry, NILAS_REGISTRY_ROWS, 7) == NULL);
    CHECK(nilas_registry__find(&registry, NILAS_REGISTRY_SCAN, -1) == NULL);
    CHECK(nilas_registry__find(&registry, NILAS_REGISTRY_SCAN, 40) == NULL);
    nilas_registry__remove(&registry, 7);
    CHECK(nilas_registry__find(&registry, NILAS_REGISTRY_SCAN, 7) == NULL);
    REQUIRE_OK(nilas_registry__add(&registry, NILAS_REGISTRY_ROWS, &things[0], &id, &err), err);
    CHECK_INT(id, 7);
    nilas_registry__done(&registry);
}
