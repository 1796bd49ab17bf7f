/** All that a database tells about a definition before a client meets it: every rule, all findings, no echoes. */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { ClientBase } from 'pg'
import type { Catalog } from '../../definitions/definition.ts'
import { findingsOf, type FileFinding, type Finding } from '../../definitions/findings.ts'
import type { Clock } from '../../model/terms.ts'
import { alreadySaid } from './already-said.ts'
import { checkBudget, checkSums, type PlannedRun } from './costs.ts'
import { checkHeldApart } from './held-apart.ts'
import { checkKnownValues } from './known-values.ts'
import { organizationColumn } from './organization-column.ts'
import { checkTotals, describeStatement, isWholeUsable } from './prepares.ts'
import { readProduct, typeOfId } from './product.ts'
import { questionOf, RUN_PERIODS, type CheckedOrganization, type Question } from './questions.ts'
import { checkColumns } from './result-columns.ts'
import { checkRuns } from './runs.ts'
import { isRecoveryConflict, unlessRefused, withSnapshot } from './session.ts'
import { nobody } from './small-organizations.ts'
import { asked, type Prepared, type Subject } from './subject.ts'
import { checkVariations } from './variations.ts'
import { readWritten } from './written.ts'

export interface ReplicaSays {
  readonly findings: readonly FileFinding[]
  /** False where PostgreSQL refuses the statement, so that nothing else was asked. */
  readonly prepares: boolean
  /** What could not be proved of it, for people: no findings. */
  readonly unproved: readonly string[]
}

/** @throws whatever the transport reports. */
export type ReplicaCheck = (definition: AnyDefinition) => Promise<ReplicaSays>

export async function createReplicaCheck(options: {
  /** On the replica, as the role of reports, with the pool's settings; nobody else uses it meanwhile. */
  readonly client: ClientBase
  /** Whom to ask for: of different sizes, one of them without rows. Where there are none, one that does not exist. */
  readonly organizations: readonly CheckedOrganization[]
  /** All definitions: together they tell what the organization's column is called. */
  readonly catalog: Pick<Catalog, 'reports' | 'metricsFiles'>
  readonly now: Clock
}): Promise<ReplicaCheck> {
  const { client, catalog, now } = options
  const product = await withSnapshot(client, session =>
    readProduct(session, organizationColumn(catalog)),
  )
  const idType = options.organizations[0]?.idType ?? typeOfId(product)
  const organizations = options.organizations.length > 0 ? options.organizations : nobody(idType)
  return async definition => {
    // why: what hangs on the instant of a question is one answer only at one instant
    const nowMs = now()
    const look = () =>
      withSnapshot(client, session => {
        const written = readWritten(definition.source)
        const subject = { definition, written, session, idType, product }
        return checkAll(subject, organizations, () => nowMs)
      })
    const said = await look().catch((error: unknown) => {
      if (isRecoveryConflict(error)) return look()
      throw error
    })
    return { ...said, findings: findingsOf(definition.file, said.findings) }
  }
}

interface Said {
  readonly findings: readonly Finding[]
  readonly prepares: boolean
  readonly unproved: readonly string[]
}

/** As PostgreSQL says it: whether the data show it hangs on the day. */
const ZERO_DIVISION = 'division by zero'

async function checkAll(
  subject: Subject,
  organizations: readonly CheckedOrganization[],
  now: Clock,
): Promise<Said> {
  const thisYear = organizations.map(organization => questionOf(organization, 'this year', now))
  const [anyone] = thisYear
  if (anyone === undefined) return { findings: [], prepares: true, unproved: [] }
  const described = await describeStatement(subject, anyone)
  const text = alreadySaid(subject.definition)
  if ('finding' in described) {
    const isEcho = text.literals.has(described.finding.line)
    return { findings: isEcho ? [] : [described.finding], prepares: false, unproved: [] }
  }

  const columns = await checkColumns(subject, described.fields)
  const selected = new Set(described.fields.map(({ name }) => name))
  const totals = await checkTotals(subject, anyone, selected)
  const { definition } = subject
  const isUsable = await isWholeUsable(subject, anyone)
  const prepared: Prepared = {
    ...subject,
    fields: described.fields,
    statement: isUsable ? definition.statement : definition.source.statement,
    mistyped: columns.mistyped,
  }
  const runs = await checkRuns(
    prepared,
    organizations.flatMap(organization =>
      RUN_PERIODS.map(named => questionOf(organization, named, now)),
    ),
  )
  const ran = runs.findings.filter(
    ({ message }) => !text.division || !message.includes(ZERO_DIVISION),
  )
  const heldApart = await scansOf(prepared, thisYear, text.ids)
  const known = checkKnownValues(subject.written, subject.product)
  const findings = [...columns.findings, ...totals, ...known, ...ran, ...heldApart]
  if (runs.timedOut) return { findings, prepares: true, unproved: [] }
  const planned = await plannedRuns(prepared, thisYear)
  const said = {
    organizations: heldApart.length > 0 || text.ids.length > 0,
    order: runs.ties || text.order,
    key: runs.sharesKeys,
    timeZone: text.timeZone,
  }
  const varied = await checkVariations(prepared, organizations, now, said)
  return {
    findings: [
      ...findings,
      ...checkSums(prepared, planned),
      ...checkBudget(prepared, planned),
      ...varied.findings,
    ],
    prepares: true,
    unproved: varied.unproved,
  }
}

async function scansOf(
  subject: Prepared,
  questions: readonly Question[],
  saidIds: readonly string[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const question of questions) {
    const plan = await unlessRefused(subject.session.explain(asked(subject, question), false))
    if (plan === undefined) continue
    // why: an id in the text is said there, and is the condition for whom it names
    findings.push(...checkHeldApart(subject, plan, [question.organization.id, ...saidIds]))
  }
  // why: plans of other organizations read the same table with other conditions
  return [...new Map(findings.map(finding => [finding.line, finding])).values()]
}

async function plannedRuns(
  subject: Prepared,
  questions: readonly Question[],
): Promise<PlannedRun[]> {
  const runs: PlannedRun[] = []
  for (const question of questions) {
    const plan = await unlessRefused(subject.session.explain(asked(subject, question), true))
    if (plan !== undefined) runs.push({ question, plan })
  }
  return runs
}
