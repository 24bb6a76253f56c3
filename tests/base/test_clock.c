#include "base/clock.h"

#include <criterion/criterion.h>

Test(base_clock, time_does_not_go_back) {
  int64_t before = ts_clock_ns();
  for (int i = 0; i < 1000; i++) {
    int64_t now = ts_clock_ns();
    cr_assert_geq(now, before);
    before = now;
  }
}

Test(base_clock, resolution_is_above_zero) {
  cr_assert_gt(ts_clock_resolution_ns(), 0);
}
