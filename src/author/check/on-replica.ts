/** Applies every rule that needs a database to a definition, and removes findings that repeat each other. */
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import { findingsOf, type FileFinding } from '../../definitions/findings.ts'
import type { Tenancy } from '../../definitions/tenancy.ts'
import type { Clock, Period } from '../../model/terms.ts'
import { checkBudget } from './costs.ts'
import { createFindAnchors } from './data-range.ts'
import { conduct } from './experiments/conduct.ts'
import { parameterQuestions } from './parameter-questions.ts'
import { readProduct } from './product.ts'
import { unknownOrganization, questionOf, questionsOf, EXECUTION_PERIODS } from './questions.ts'
import type { CheckedOrganization } from './questions.ts'
import { checkOracle } from './oracle.ts'
import { columnFindings, instantFor } from './result-types.ts'
import type { QueryRows } from '../../serve/database/connection.ts'
import { describeColumns, dryRun } from '../../serve/start/dry-run.ts'
import { checkExecutions } from './executions.ts'
import { findingsOfKind } from './evidence.ts'
import type { AskReplica, ReplicaFindings } from './check.ts'
import type { CheckFinding, KindFinding } from './kinds.ts'
import { readsUtc } from './rules/utc-timestamp.ts'
import { withSnapshot, type Session } from './session.ts'
import type { Subject } from './subject.ts'

/** @throws whatever the transport reports. */
export interface ReplicaCheck extends AskReplica {
  /** Lines of `tenancy.yaml` that do not fit the database. */
  readonly tenancyFindings: readonly FileFinding[]
  /** As of a definition, of all of them. */
  readonly unproved: readonly string[]
}

export async function createReplicaCheck(options: {
  /** Connections to the replica with the role and settings of reports, on which definitions are checked side by side. */
  readonly clients: readonly DatabaseClient[]
  /** Organizations of different sizes, one without rows. If empty, an organization that does not exist is used. */
  readonly organizations: readonly CheckedOrganization[]
  /** With which the definitions were loaded. */
  readonly tenancy: Tenancy
  /** Replaces the periods that are chosen by the data. */
  readonly period?: Period | undefined
  readonly now: Clock
  /** False leaves out the experiments. */
  readonly experiments?: boolean | undefined
}): Promise<ReplicaCheck> {
  const { clients, tenancy, period, now, experiments = true } = options
  const [known] = options.organizations
  const withClient = createQueue(clients)
  const product = await withClient(client =>
    withSnapshot(client, session => readProduct(session, tenancy, known?.idType)),
  )
  const { idType, wrongLines, tenancyFindings } = product
  const organizations =
    options.organizations.length > 0 ? options.organizations : unknownOrganization(idType)
  const findAnchors = createFindAnchors(product)
  const check: AskReplica = async (definition, draft, found) => {
    // why: PostgreSQL would reject each definition for the same line
    if (definition.source.tables.some(({ line }) => wrongLines.has(line)))
      return { findings: [], unproved: [], hasRows: true }
    // why: results that depend on the current time are comparable only at one instant
    const nowMs = now()
    const checkIn = async (session: Session) => {
      const anchored =
        period === undefined
          ? await findAnchors(session, draft, organizations, () => nowMs)
          : organizations.map(organization => Object.assign({}, organization, { period }))
      const subject = { definition, draft, session, idType, product }
      return checkAll(subject, anchored, () => nowMs, found, experiments)
    }
    return withClient(client => withSnapshot(client, checkIn))
  }
  const { findTable, unproved } = product
  return Object.assign(check, { findTable, tenancyFindings, unproved })
}

/** Each work waits for the one before it on the next client. */
function createQueue(clients: readonly DatabaseClient[]) {
  const lasts: Array<Promise<unknown>> = clients.map(() => Promise.resolve())
  let count = 0
  return async <T>(work: (client: DatabaseClient) => Promise<T>): Promise<T> => {
    const at = count++ % clients.length
    const done = lasts[at]!.then(() => work(clients[at]!))
    lasts[at] = done.catch(() => {})
    return done
  }
}

async function checkAll(
  subject: Subject,
  organizations: readonly CheckedOrganization[],
  now: Clock,
  found: readonly CheckFinding[],
  hasExperiments: boolean,
): Promise<ReplicaFindings> {
  const { definition, draft, session, idType } = subject
  let lost: unknown
  const plan: QueryRows = query =>
    session.rows(query).catch((error: unknown) => {
      lost = error
      throw error
    })
  const rejected = await dryRun(plan, [definition], idType)
  // why: the caller tries again after a conflict with replay
  if (rejected === undefined) throw lost
  if (rejected.length > 0) {
    const refused = rejected.map(({ file, line, message }) => {
      const instant = instantFor(draft, message)
      return { file, line, message: instant === undefined ? message : `${message}: ${instant}` }
    })
    return { findings: findingsOfKind('prepare', refused), unproved: [], hasRows: true }
  }
  // why: beside the totals of the gateway, types may be others
  const plain = definition.source.statement
  const unbound = Array<null>(plain.parameterCount).fill(null)
  const fields = await describeColumns(plan, plain.text(idType), unbound)
  const findings: CheckFinding[] = []
  const add = (...all: readonly KindFinding[]) => findings.push(...findingsOf(definition.file, all))
  add(...findingsOfKind('columns', columnFindings(definition, draft, fields)))
  const thisYear = organizations.map(organization => questionOf(organization, 'this year', now))
  const [question] = thisYear
  if (question === undefined) {
    const unexecuted = `whatever an execution shows (no id can be made up for the type ${idType}, expected --org <id>)`
    return { findings, unproved: [unexecuted], hasRows: false }
  }
  const periods = organizations.flatMap(one => questionsOf(one, EXECUTION_PERIODS, now))
  const ofParameters = await parameterQuestions(subject, question)
  const asked = [...periods, ...ofParameters.questions]
  const { faults, hasRows, results } = await checkExecutions(subject, asked)
  add(...ofParameters.findings, ...faults)
  if (faults.some(({ id }) => id === 'timeout')) return { findings, unproved: [], hasRows: true }
  add(...findingsOfKind('budget', await checkBudget(subject, thisYear)))
  const known = [...found, ...findings].map(({ id }) => id)
  // why: such a column is the same instant only in sessions in UTC
  if (readsUtc(draft)) known.push('utc-timestamp')
  const compared = await checkOracle(subject, results)
  findings.push(...compared.findings)
  const seen = hasExperiments && (await conduct(subject, organizations, now, known, results))
  if (seen) add(...seen.findings)
  // why: a refused statement is a finding, and explains what could not be proved
  const isRefused = faults.some(({ id }) => id === 'execution')
  const unproved = isRefused ? [] : [...compared.unproved, ...(seen ? seen.unproved : [])]
  return { findings, unproved, hasRows: hasRows || isRefused }
}
