// The clock of processes that tests start: variables of `faketime`, which test/calendar sets.
const { LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC, FAKETIME_FORCE_MONOTONIC_FIX } =
  process.env

export const CLOCK: NodeJS.ProcessEnv = {
  LD_PRELOAD,
  FAKETIME,
  FAKETIME_DONT_FAKE_MONOTONIC,
  FAKETIME_FORCE_MONOTONIC_FIX,
}
