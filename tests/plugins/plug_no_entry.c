// SPDX-License-Identifier: MIT
// A shared object that is no plug-in.
int plug_nothing(void);
int plug_nothing(void) {
  return 0;
}
