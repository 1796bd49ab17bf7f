// The clock of processes that tests start: variables of `faketime`, which test/calendar sets.
const NAMES = [
  'LD_PRELOAD',
  'FAKETIME',
  'FAKETIME_DONT_FAKE_MONOTONIC',
  'FAKETIME_FORCE_MONOTONIC_FIX',
]
const variables = (names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(names.map(name => [name, process.env[name]]))

/** For servers: what processes of `faketime` share is not another user's. */
export const CLOCK_OF_SERVERS = variables(NAMES)
export const CLOCK = variables([...NAMES, 'FAKETIME_SHARED'])
