/** What check finds where the standby is asked too, in the bad definitions and in ours. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { checkFile, readToCheck, type AskReplica } from '../../src/author/check/check.ts'
import { askStandby } from './ask-standby.ts'
import { checked, expectFindings, folderOf, type BadDefinition } from './bad-definitions.ts'
import { ACCOUNTS } from './tables/accounts.ts'
import { NEW_DEALS } from './tables/new-deals.ts'
import { PAYMENTS } from './tables/payments.ts'

/** Those that a replica is asked about: what does not load is not. */
export const ASKED = [...PAYMENTS, ...NEW_DEALS, ...ACCOUNTS].filter(({ expected }) =>
  expected.every(({ by }) => by !== 'load'),
)

/** Beside each of them stands a faster one with the same fault. */
const SLOW = new Set([
  'a table with its schema and without the organization',
  '(100 * paid.income / nullif(paid.income + paid.expenses, 0))::bigint',
  'a column is not selected',
])

/** Of each fault that only a replica tells, and of what is right for one, the faster definitions. */
export const ONLY_ON_REPLICA = ASKED.filter(
  ({ title, expected }) =>
    !SLOW.has(title) && (expected.length === 0 || expected.some(({ by }) => by === 'replica')),
)

export function findOnReplica(definitions: readonly BadDefinition[], nicknames?: string[]): void {
  describe('bad definitions on a replica', () => {
    const standby = useReplica(nicknames)

    for (const { title, file, text, expected } of definitions) {
      it(`${file}: ${title}`, async () => {
        const wanted = expected.filter(({ by }) => by !== 'text')
        expectFindings(await checked(folderOf({ [file]: text }), standby.ask), wanted)
      })
    }
  })
}

export function findNothingInOurs(nicknames?: string[]): void {
  describe('our definitions on a replica', () => {
    const standby = useReplica(nicknames)

    const { files, drafts, findings } = readToCheck('sql')

    it('are all read', () => expect(findings).to.deep.equal([]))

    for (const file of files) {
      it(`have no finding: ${file.name}`, async () => {
        expect(await checkFile(file, drafts, standby.ask)).to.deep.equal([])
      })
    }
  })
}

function useReplica(nicknames?: string[]): { ask: AskReplica } {
  let standby: Awaited<ReturnType<typeof askStandby>> | undefined
  before(async function () {
    this.timeout(30_000)
    standby = await askStandby(nicknames)
  })
  after(() => standby?.close())
  return { ask: definition => standby!.ask(definition) }
}
