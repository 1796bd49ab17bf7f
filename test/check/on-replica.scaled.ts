// The bad definitions on the standby: one for each fault that only a replica shows, and in the proof all of them that
// load, for all organizations of the demo.
import { IS_PROOF } from '../harness/is-proof.ts'
import { useStandbyCheck } from './standby-check.ts'
import { checked, expectFindings, folderOf, LOADABLE } from './bad-definitions.ts'

/** Seconds each; the proof has them. For most there is a faster definition with the same fault. */
const SLOW = new Set([
  '(select count(*) from tasks where tasks.assignee_id = deals.manager_id)::text as manager',
  'a sort that spills where the budget forbids it',
  '(100 * paid.income / nullif(paid.income + paid.expenses, 0))::bigint',
  'a column is not selected',
])

/** Only the large organization has such rows; the proof checks all. */
const OF_LARGE = new Set(['a key that two rows have', 'order by created_on'])

/** The faster definitions for faults that only a replica shows, and for correct variants. */
const ONLY_ON_REPLICA = LOADABLE.filter(
  ({ title, expected }) =>
    !SLOW.has(title) && (expected.length === 0 || expected.some(({ by }) => by === 'replica')),
)

describe('bad definitions on a replica', () => {
  const standby = useStandbyCheck(IS_PROOF ? undefined : ['business'])
  const large = IS_PROOF ? standby : useStandbyCheck(['business', 'large'])

  for (const { title, file, text, expected } of IS_PROOF ? LOADABLE : ONLY_ON_REPLICA) {
    it(`${file}: ${title}`, async () => {
      const { ask } = OF_LARGE.has(title) ? large : standby
      const wanted = expected.filter(({ by }) => by !== 'text')
      expectFindings(await checked(folderOf({ [file]: text }), ask), wanted)
    })
  }
})
