/** `svodka diff CODE`: compares two versions of a definition, their results and their cost, on the replica. */
import { basename, dirname, resolve } from 'node:path'
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { Catalog, ParameterValues } from '../../definitions/definition.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import type { Config } from '../../config/config.ts'
import type { Milliseconds } from '../../model/terms.ts'
import { displayFile, print } from '../../command/output.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { orFindings } from '../../command/load-all.ts'
import {
  ALL_PERIODS,
  questionsOf,
  type CheckedOrganization,
  type Question,
} from '../check/questions.ts'
import { isRecoveryConflict, withSnapshot, type Session } from '../check/session.ts'
import { count, counted, duration } from '../plans/figures.ts'
import { definitionError, findingError, withReportSession } from './report-session.ts'
import { chosenOrganizations, organizationsFile } from './organization.ts'
import { periodOf, valuesOf, type ExecutionOptions } from './question.ts'
import { ORACLE_ENDING } from '../../definitions/folder.ts'
import { oracleFile, otherVersion, readBase, readOracle } from '../versions/other-version.ts'
import { tableOf } from '../versions/result-table.ts'
import { tableDifferences } from '../versions/table-differences.ts'
import { reached } from './session.ts'
import { withDefinition } from './with-definition.ts'

export interface DiffOptions extends ExecutionOptions {
  /** A file or a commit. */
  readonly base: string
  /** Whether the base is the oracle beside the definition. */
  readonly oracle?: boolean | undefined
  /** Ids or nicknames; by default all organizations with a nickname. */
  readonly org?: readonly string[] | undefined
}

/** Organizations and periods whose differences are printed. */
const MAX_SHOWN = 3

/** @returns 1 if results differ, or if none has data @throws CommandError */
export function diff(
  name: string,
  options: DiffOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return withDefinition(
    name,
    options,
    environment,
    loaded => {
      if (options.from !== undefined || options.to !== undefined) periodOf(options, 'UTC')
      valuesOf(options, loaded.definition)
      return readOther(options, loaded.definition, loaded.sqlDir)
    },
    async ({ definition, catalog, config }, base) => {
      const { sqlDir } = config
      const organizations = await orFindings(sqlDir, () =>
        organizationsOf(options, config, catalog),
      )
      const values = valuesOf(options, definition)
      const nowMs = Date.now()
      const questions = organizations.flatMap(one => questionsOf(one, ALL_PERIODS, () => nowMs))
      const versions = [base, definition] as const
      const compared: Compared[] = []
      await reached(() =>
        withReportSession(config, versions, async client => {
          for (const question of questions) {
            const compareIn = (session: Session) =>
              compare(versions, question, values, session, sqlDir)
            // why: in one snapshot, so that the product may write meanwhile
            compared.push(await withSnapshot(client, compareIn))
          }
        }),
      )
      const differing = compared.filter(({ differences }) => differences.length > 0)
      for (const { label, differences } of differing.slice(0, MAX_SHOWN))
        await print(differences.map(line => `${label}: ${line}\n`).join(''))
      const periods = counted(questions.length / organizations.length, 'period')
      const extent = `${counted(organizations.length, 'organization')} x ${periods}`
      const hasData = compared.some(one => one.hasData)
      const result =
        differing.length > 0
          ? `different in ${differing.length} of ${compared.length}`
          : `equal${hasData ? '' : ', without a row'}`
      await print(`${result}, ${costsOf(compared)}, ${extent}\n`)
      return differing.length === 0 && hasData ? EXIT.ok : EXIT.findings
    },
  )
}

/** @throws CommandError if there is none, or it does not load, has other columns or is a copied oracle */
async function readOther(
  { base, oracle: isOracle = false }: DiffOptions,
  definition: AnyDefinition,
  sqlDir: string,
): Promise<AnyDefinition> {
  const parent = resolve(dirname(sqlDir))
  const { definition: other, findings } = await withSqlParser(async parse => {
    if (!isOracle) return otherVersion(readBase(base, definition.file, parent), definition, parse)
    const oracle = await readOracle(definition, { parent, name: basename(sqlDir) }, parse)
    if (oracle !== undefined) return { ...oracle, findings: [...oracle.findings, ...oracle.copied] }
    const beside = displayFile(oracleFile(definition), sqlDir)
    throw new CommandError(
      EXIT.usage,
      `--oracle: there is no ${beside}, expected naive SQL for the same columns.`,
    )
  })
  if (other !== undefined) return other
  throw findingError(findings, sqlDir)
}

/** @throws CommandError if there are none */
async function organizationsOf(
  { org, from, to }: DiffOptions,
  config: Config,
  catalog: Catalog,
): Promise<CheckedOrganization[]> {
  const found = await chosenOrganizations(org, config, catalog)
  if (found.length === 0) {
    const file = organizationsFile(config, catalog)
    throw new CommandError(EXIT.usage, `No organization has a nickname in ${file}, expected --org.`)
  }
  if (from === undefined && to === undefined) return found
  return found.map(one => Object.assign(one, { period: periodOf({ from, to }, one.timeZone) }))
}

interface Compared {
  /** `organization business, this year` */
  readonly label: string
  readonly differences: readonly string[]
  readonly hasData: boolean
  /** Of the base and of the definition: the better of two executions. */
  readonly costs: readonly Cost[]
}

interface Cost {
  readonly ms: Milliseconds
  readonly buffers: number
}

/** @param versions the base and the definition */
async function compare(
  versions: readonly AnyDefinition[],
  { organization, bindings, label }: Question,
  parameters: ParameterValues,
  session: Session,
  sqlDir: string,
): Promise<Compared> {
  const { idType } = organization
  const asked = { ...bindings, parameters }
  const both = versions.map(version => {
    const { statement, timeoutMs } = version
    const query = { text: statement.text(idType), values: statement.values(asked), timeoutMs }
    const attempt = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        throw isRecoveryConflict(error) ? error : definitionError(error, version, idType, sqlDir)
      })
    const read = async () => tableOf(version, organization, asked, await session.query(query))
    return { execute: () => attempt(read()), explain: () => attempt(session.explain(query)) }
  })
  const [base, own] = both as [(typeof both)[0], (typeof both)[0]]
  const [expected, found] = [await base.execute(), await own.execute()]
  // why: in both orders, so that caches are fair
  const first = [await base.explain(), await own.explain()] as const
  const isOracle = versions[0]?.file.endsWith(ORACLE_ENDING)
  const second = [await own.explain(), await base.explain()] as const
  return {
    label,
    differences: tableDifferences(expected, found, isOracle).map(({ text }) => text),
    hasData: expected.hasData || found.hasData,
    costs: [faster(first[0], second[1]), faster(first[1], second[0])],
  }
}

function faster(one: Cost, other: Cost): Cost {
  return one.ms < other.ms ? one : other
}

/** `3.1 times faster (120 ms / 37 ms; 8,100 / 900 buffers)` */
function costsOf(compared: readonly Compared[]): string {
  const sums = (of: (cost: Cost) => number) =>
    [0, 1].map(at => compared.reduce((sum, { costs }) => sum + of(costs[at]!), 0))
  const [times, buffers] = [sums(({ ms }) => ms), sums(one => one.buffers)]
  const ratio = times[0]! / times[1]!
  const factor = Math.max(ratio, 1 / ratio)
  const speed = `${factor.toFixed(1)} times ${ratio > 1 ? 'faster' : 'slower'}`
  const figures = `${times.map(duration).join(' / ')}; ${buffers.map(count).join(' / ')} buffers`
  return `${factor < 1.05 ? 'as fast' : speed} (${figures})`
}
