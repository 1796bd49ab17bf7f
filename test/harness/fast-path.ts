// `make test FAST_PATH=off` runs any test without the fast path.

/** Default of `FAST_PATH` for gateways of tests. */
export const FAST_PATH = process.env['FAST_PATH'] ?? 'on'
