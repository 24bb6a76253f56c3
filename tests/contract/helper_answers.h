// SPDX-License-Identifier: MIT
/// What the helper programs have answered. The promises have the same shapes filled with tets again
/// and again, for each method and each pose; a process for each of them took two thirds of the
/// time.
///
/// The linker puts this in place of ts_helper_ask (--wrap): a question whose bytes were asked
/// before in this process, of the same program, gets the same bytes again; any other is asked for.
#ifndef TS_TESTS_CONTRACT_HELPER_ANSWERS_H
#define TS_TESTS_CONTRACT_HELPER_ANSWERS_H

/// From now on each question is asked anew.
void helper_answers_forget(void);

#endif
