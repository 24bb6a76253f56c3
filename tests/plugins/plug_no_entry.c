// SPDX-License-Identifier: MIT
// A shared object without the entry symbol.
int plug_nothing(void);
int plug_nothing(void) {
  return 0;
}
