// SPDX-License-Identifier: MIT
#include "harness/plan/exits.h"

#include <stddef.h>

#define FACTS(name, status, text, meaning) {text, meaning},
const ts_exit_facts ts_exits[] = {TS_EXITS(FACTS){NULL, NULL}};
