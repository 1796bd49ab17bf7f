/** `make prove` executes `*.scaled.ts` files with more cases than `make test`. */
export const IS_PROOF = (process.env['PROOFS'] ?? '') !== ''
