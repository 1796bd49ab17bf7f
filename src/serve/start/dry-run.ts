/**
 * Plans every definition once without executing it, and checks the objects that it names. Those that fail on this replica
 * are known before a client requests them, and catalog caches are warm for the first report (measured: 18 ms instead of
 * 40).
 */
import type { AnyDefinition } from '../../definitions/any-definition.ts'
import type { FileFinding } from '../../definitions/findings.ts'
import { SERVER_OBJECTS } from '../../definitions/server-objects-query.ts'
import {
  questionFor,
  serverFindings,
  type ServerObjects,
} from '../../definitions/server-objects.ts'
import type { ProblemCode } from '../../model/errors.ts'
import { locateColumns } from '../report/result-columns.ts'
import { classifyError } from '../database/classify-error.ts'
import { CAN_BE_PLANNED, faultOf, refusedWords } from './fault.ts'
import { choiceColumns } from '../report/load-choices.ts'
import type { Executable } from '../../definitions/definition.ts'
import type { QueryRows } from '../database/connection.ts'
import type { RawField } from '../../model/terms.ts'
import type { DescribedColumn } from '../database/database-client.ts'

/** A definition that cannot or must not be executed, or a file of `access/`. */
export interface PlanRejection extends FileFinding {
  /** `Definition.name`. */
  readonly definition: string
  /** PostgreSQL might execute it, but must not. */
  readonly isForbidden?: boolean
}

/** The server is at fault, not the definitions. */
const POSTPONED: ReadonlySet<ProblemCode> = new Set(['replica_unavailable', 'report_timeout'])

/**
 * @param idType the PostgreSQL type of an organization's id
 * @returns undefined if the replica is unavailable
 */
export async function dryRun(
  read: QueryRows,
  definitions: readonly AnyDefinition[],
  idType: string,
): Promise<readonly PlanRejection[] | undefined> {
  const rejections: PlanRejection[] = []
  let server: ServerObjects
  try {
    server = await readServerObjects(read, definitions)
  } catch (error) {
    if (POSTPONED.has(classifyError(error).code)) return undefined
    return definitions.map(one => ({
      definition: one.name,
      ...faultOf(error, one, idType),
      isForbidden: true,
    }))
  }
  for (const one of definitions) {
    const { name: definition, file } = one
    const findings = serverFindings(one.source, server)
    for (const found of findings) rejections.push({ definition, file, ...found, isForbidden: true })
    if (findings.length > 0) continue
    for (const { rejected, planIt } of plansOf(read, one, idType))
      try {
        await planIt()
      } catch (error) {
        if (classifyError(error).code === 'replica_unavailable') return undefined
        rejections.push({ definition, ...rejected(error) })
      }
  }
  return rejections
}

export async function readServerObjects(
  read: QueryRows,
  definitions: readonly AnyDefinition[],
): Promise<ServerObjects> {
  const values = [questionFor(definitions.map(({ source }) => source))]
  const [[json] = []] = await read({ text: SERVER_OBJECTS, values })
  return JSON.parse(String(json)) as ServerObjects
}

/** The definition's statement, and those of its parameters' values; each throws if its columns are others. */
function plansOf(read: QueryRows, definition: AnyDefinition, idType: string) {
  const describe = ({ statement }: Executable): Promise<readonly DescribedColumn[]> =>
    describeColumns(read, statement.text(idType), Array<null>(statement.parameterCount).fill(null))
  const { parameters, file, source } = definition
  return [
    {
      planIt: async () => void locateColumns(await describe(definition), definition, 'UTC'),
      rejected: (error: unknown) => faultOf(error, definition, idType),
    },
    ...parameters.flatMap(({ name, query }) => {
      if (query === undefined) return []
      const path = ['parameters', name, 'values', 'sql']
      const rejected = (error: unknown): FileFinding => {
        const message = `${path.join('.')}: ${refusedWords(error, CAN_BE_PLANNED)}`
        return { file, line: source.lineOf(path), message }
      }
      return [
        { planIt: async () => void choiceColumns(await describe(query), query.type), rejected },
      ]
    }),
  ]
}

const HEAD = 'select * from (\n'
const TAIL = '\n) as described limit 0'

/**
 * With `limit 0` PostgreSQL plans and describes the statement, and evaluates only immutable functions.
 * @throws what `read` throws; the position, if any, counts characters of `text` from 1
 */
export async function describeColumns(
  read: QueryRows,
  text: string,
  values: readonly RawField[] = [],
): Promise<readonly DescribedColumn[]> {
  let columns: readonly DescribedColumn[] = []
  const onColumns = (found: readonly DescribedColumn[]): void => void (columns = found)
  try {
    await read({ text: `${HEAD}${text}${TAIL}`, values, onColumns })
  } catch (error) {
    const failed = error as { position?: string }
    if (failed.position !== undefined)
      failed.position = String(Number(failed.position) - HEAD.length)
    throw error
  }
  return columns
}
