// `make test FAST_PATH=off` runs any test without the fast path.

/** What gateways of tests get for `FAST_PATH`, unless a test sets it. */
export const FAST_PATH = process.env['FAST_PATH'] ?? 'on'
