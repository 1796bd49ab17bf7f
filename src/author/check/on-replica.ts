/** Applies every rule that needs a database to a definition, and removes findings that repeat each other. */
import type { DatabaseClient } from '../../serve/database/database-client.ts'
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import { findingsOf, type FileFinding } from '../../definitions/findings.ts'
import { SERVER_OBJECTS } from '../../definitions/server-objects-query.ts'
import {
  questionFor,
  serverFindings,
  type ServerObjects,
} from '../../definitions/server-objects.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import type { Tenancy } from '../../definitions/tenancy.ts'
import { rowsOf } from '../../definitions/tenant-rows.ts'
import type { Clock, Period } from '../../model/terms.ts'
import { checkBudget } from './costs.ts'
import { createFindAnchors } from './data-range.ts'
import { conduct } from './experiments/conduct.ts'
import { checkTotals, describeSubject } from './prepares.ts'
import { readProduct } from './product.ts'
import { unknownOrganization, questionOf, questionsOf, EXECUTION_PERIODS } from './questions.ts'
import type { CheckedOrganization } from './questions.ts'
import { checkOracle } from './oracle.ts'
import { checkColumns } from './result-columns.ts'
import { checkExecutions } from './executions.ts'
import { OF_EXECUTION, OF_LOADING } from './evidence.ts'
import type { AskReplica } from './check.ts'
import { findingsOfKind, type CheckFinding, type KindFinding } from './kinds.ts'
import type { Draft } from './rules/draft.ts'
import { readsUtc, utcTimestamp } from './rules/utc-timestamp.ts'
import { withSnapshot } from './session.ts'
import type { Checked, PreparedSubject, Subject } from './subject.ts'

export interface ReplicaFindings {
  readonly findings: readonly CheckFinding[]
  /** Facts that could not be proved, with the reason; shown to the author, not findings. */
  readonly unproved: readonly string[]
  /** False if no organization has rows of the definition, so that rules on rows were not tested. */
  readonly hasRows: boolean
}

/** @throws whatever the transport reports. */
export interface ReplicaCheck extends AskReplica {
  (...args: Parameters<AskReplica>): Promise<ReplicaFindings>
  /** Lines of `tenancy.yaml` that do not fit the database. */
  readonly tenancyFindings: readonly FileFinding[]
  /** As of a definition, of all of them. */
  readonly unproved: readonly string[]
}

export async function createReplicaCheck(options: {
  /** A connection to the replica with the role and settings of reports; used by the check alone. */
  readonly client: DatabaseClient
  /** Organizations of different sizes, one without rows. If empty, an organization that does not exist is used. */
  readonly organizations: readonly CheckedOrganization[]
  /** With which the definitions were loaded. */
  readonly tenancy: Tenancy
  readonly parse: ParseSql
  /** Replaces the periods that are chosen by the data. */
  readonly period?: Period | undefined
  readonly now: Clock
  /** False leaves out the experiments. */
  readonly experiments?: boolean | undefined
}): Promise<ReplicaCheck> {
  const { client, tenancy, parse, period, now, experiments = true } = options
  const [known] = options.organizations
  const product = await withSnapshot(client, session =>
    readProduct(session, tenancy, known?.idType),
  )
  const { idType, wrongLines, tenancyFindings } = product
  const organizations =
    options.organizations.length > 0 ? options.organizations : unknownOrganization(idType)
  const findAnchors = createFindAnchors(product)
  const check = async (
    definition: AnyDefinition,
    draft: Draft,
    ofText: readonly CheckFinding[],
  ) => {
    // why: PostgreSQL would reject each definition for the same line
    if (definition.source.tables.some(({ line }) => wrongLines.has(line)))
      return { findings: [], unproved: [], hasRows: true }
    // why: results that depend on the current time are comparable only at one instant
    const nowMs = now()
    const checked = await withSnapshot(client, async session => {
      const subject = { definition, draft, parse, session, idType, product }
      const anchored =
        period === undefined
          ? await findAnchors(session, draft, organizations, () => nowMs)
          : organizations.map(organization => Object.assign({}, organization, { period }))
      return checkAll(subject, anchored, () => nowMs, ofText, experiments)
    })
    const { refused = [], ofOracle = [], unproved, hasRows } = checked
    const findings = [...refused, ...findingsOf(definition.file, checked.findings), ...ofOracle]
    return { findings, unproved, hasRows }
  }
  const { findTable, unproved } = product
  return Object.assign(check, { findTable, tenancyFindings, unproved })
}

/** Rules on literals, which PostgreSQL may reject, too. */
const ECHOED = new Set(['literal-period', 'literal-id', 'quoted-placeholder'])

interface CheckedRows extends Checked, Pick<ReplicaFindings, 'hasRows'> {
  /** A statement that PostgreSQL rejects, here or in a line of `tenancy.yaml`. */
  readonly refused?: readonly CheckFinding[]
  /** In its file or in that of the definition. */
  readonly ofOracle?: readonly CheckFinding[] | undefined
}

async function checkAll(
  subject: Subject,
  organizations: readonly CheckedOrganization[],
  now: Clock,
  found: readonly CheckFinding[],
  hasExperiments: boolean,
): Promise<CheckedRows> {
  const { definition, draft, product, idType } = subject
  const thisYear = organizations.map(organization => questionOf(organization, 'this year', now))
  const [question] = thisYear
  const values = [questionFor([definition.source])]
  const [row] = await subject.session.rows<{ objects: string }>(SERVER_OBJECTS, values)
  const refused = serverFindings(definition.source, JSON.parse(row!.objects) as ServerObjects)
  const prepare = OF_LOADING.prepare
  if (refused.length > 0)
    return { findings: findingsOfKind(prepare, refused), unproved: [], hasRows: true }
  if (question === undefined) {
    const unexecuted = `whatever an execution shows (no id can be made up for the type ${idType}, expected --org <id>)`
    return { findings: [], unproved: [unexecuted], hasRows: false }
  }
  const fields = await describeSubject(subject, question)
  if ('message' in fields) {
    // why: if PostgreSQL rejects a literal, the rule on literals has reported it
    const isEcho = found.some(({ id, line }) => ECHOED.has(id) && line === fields.line)
    const shown = isEcho ? [] : findingsOfKind(prepare, [fields])
    return { findings: [], refused: shown, unproved: [], hasRows: true }
  }

  const columns = checkColumns(subject, fields)
  const totals = await checkTotals(subject, question, new Set(fields.map(({ name }) => name)))
  // why: the gateway's text includes the totals, and does not prepare if one of them is wrong
  const hasTotals = columns.findings.length + totals.length === 0
  const prepared: PreparedSubject = {
    ...subject,
    statement: (hasTotals ? definition : definition.source).statement,
    hasTotals,
    rowsOf: rowsOf(product.tenancy.tables),
    mistyped: columns.mistyped,
  }
  const periods = organizations.flatMap(one => questionsOf(one, EXECUTION_PERIODS, now))
  const { faults, hasRows } = await checkExecutions(prepared, periods)
  // why: whether the data show a division by zero depends on the day
  const saysDivision = found.some(({ id }) => id === 'zero-division')
  const isNew = ({ message }: KindFinding) => !saysDivision || !message.includes('division by zero')
  const findings = [
    ...findingsOfKind(OF_EXECUTION.columns, columns.findings),
    ...findingsOfKind(OF_EXECUTION.totals, totals),
    ...[...faults.values()].filter(isNew),
  ]
  if (faults.has('timeout')) return { findings, unproved: [], hasRows: true }
  findings.push(...findingsOfKind(OF_EXECUTION.budget, await checkBudget(prepared, thisYear)))
  const { oracle } = draft
  const compared = oracle && (await checkOracle(oracle, subject, periods))
  const known = [...found, ...findings].map(({ id }) => id)
  // why: such a column is the same instant only in sessions in UTC
  if (readsUtc(draft)) known.push(utcTimestamp.id)
  const seen = hasExperiments ? await conduct(prepared, organizations, now, known) : undefined
  findings.push(...(seen?.findings ?? []))
  // why: a refused statement is a finding, and explains what could not be proved
  const isRefused = faults.has('refused')
  const unproved = [compared, seen].flatMap(one => (isRefused ? [] : (one?.unproved ?? [])))
  return { findings, ofOracle: compared?.findings, unproved, hasRows: hasRows || isRefused }
}
