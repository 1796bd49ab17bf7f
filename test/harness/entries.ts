// The oracle of Data-As-Of: a body must contain all that the primary had committed by that instant. Entries are
// numbered in the order of their commits.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Recorded } from './client.ts'
import type { Node } from './servers.ts'
import type { Stage } from './stage.ts'

const EVERY_MS = 10
const WRITE =
  'insert into entries select 1, 1 + coalesce(max(entries.id), 0) from entries where entries.organization_id = 1'

/** Writes on the primary, commit after commit, until the scenario's faults are undone or the primary is unavailable. */
export async function startEntries(stage: Stage): Promise<void> {
  const client = new Client({
    connectionString: stage.servers.url('postgres', stage.servers.primary.port),
  })
  const over = new AbortController()
  client.on('error', () => over.abort())
  await client.connect()
  const writing = (async () => {
    for (; !over.signal.aborted; await sleep(EVERY_MS))
      await client.query(WRITE).catch(() => undefined)
  })()
  stage.undo(async () => {
    over.abort()
    // why: a frozen primary responds when it resumes, a dead one never
    client.end().catch(() => undefined)
    await Promise.race([writing, sleep(1000)])
  })
}

/** Instant of each entry's commit, by the primary's clock, in ms since the epoch. */
async function commitsOf(primary: Node): Promise<number[]> {
  const sql = `select string_agg((extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::text, ',' order by id)
    from entries where organization_id = 1`
  return ((await primary.ask(sql)) ?? '').split(',').filter(Boolean).map(Number)
}

/** Checks the organization with entries. @returns a message if bodies have older data than their Data-As-Of. */
export async function liesOf(records: readonly Recorded[], primary: Node): Promise<string[]> {
  const shown = records.filter(
    ({ entries, organization }) => entries !== undefined && organization === 1,
  )
  if (shown.length === 0) return []
  const [first, ...more] = lies(shown, await commitsOf(primary))
  return first === undefined ? [] : [`${1 + more.length} of ${shown.length} are wrong: ${first}`]
}

/** @param commits in the order of the entries. */
function* lies(records: readonly Recorded[], commits: readonly number[]): Iterable<string> {
  for (const { entries, headers } of records) {
    const said = headers['data-as-of']
    if (entries === undefined || said === undefined) continue
    const { shown, latest } = entries
    if (shown !== latest) yield `a body shows ${shown} of the first ${latest} entries`
    const asOf = Date.parse(String(said))
    const due = commits.filter(at => at <= asOf).length
    if (latest >= due) continue
    const late = (asOf - (commits[latest] ?? asOf)).toFixed(1)
    yield `a body of Data-As-Of ${String(said)} shows ${latest} entries, ${due} were committed: it lacks one ${late} ms older`
  }
}
