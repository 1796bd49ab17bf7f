import { ACCOUNTS } from './accounts.ts'
import { NEW_DEALS } from './new-deals.ts'
import { PAYMENTS } from './payments.ts'

/** Bad definitions that load; only these are checked on a replica. */
export const LOADABLE = [...PAYMENTS, ...NEW_DEALS, ...ACCOUNTS].filter(({ expected }) =>
  expected.every(({ by }) => by !== 'load'),
)
