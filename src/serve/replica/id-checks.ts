/**
 * Whether an organization's id is the same after it has been a text: reports bind it as one. Asked once for each
 * id, and remembered.
 */
import { LRUCache } from 'lru-cache'
import { idTypeFault } from '../../definitions/id-type.ts'
import type { Organization } from '../../model/terms.ts'
import { textArray } from './time-zone-checks.ts'
import type { AskRows } from './time-zone-checks.ts'

type Id = Pick<Organization, 'id' | 'idType'>

export interface IdChecks {
  /** What is wrong with the id, as far as is known. */
  faultOf(organization: Id): string | undefined
  /** Those that were not checked yet. */
  due<T extends Id>(organizations: readonly T[]): T[]
  /** @throws what `ask` throws, but for values. */
  check(organizations: readonly Id[], ask: AskRows): Promise<void>
}

const MAX_IDS = 10_000
const NO_FAULT = ''

export function createIdChecks(): IdChecks {
  const faults = new LRUCache<string, string>({ max: MAX_IDS })

  async function checkType(idType: string, ids: readonly string[], ask: AskRows): Promise<void> {
    const note = (id: string, fault: string): void => void faults.set(keyOf({ id, idType }), fault)
    const ofType = idTypeFault(idType)
    if (ofType !== undefined) return ids.forEach(id => note(id, `organization_id: ${ofType}`))
    try {
      const text = `select id, (id::${idType})::text from unnest($1::text[]) as id`
      const rows = await ask(text, [textArray(ids)])
      for (const [id, readBack] of rows) note(id ?? '', faultOf(idType, id, readBack))
    } catch (error) {
      if (!isOfValue(error)) throw error
      const [only] = ids
      if (ids.length > 1) for (const id of ids) await checkType(idType, [id], ask)
      else note(only!, faultOf(idType, only, `an error: ${(error as Error).message}`))
    }
  }

  return {
    faultOf: organization => faults.peek(keyOf(organization)) || undefined,
    due: organizations =>
      organizations.filter(organization => faults.get(keyOf(organization)) === undefined),
    async check(organizations, ask) {
      const ids = new Map<string, Set<string>>()
      for (const { id, idType } of organizations) {
        ids.set(idType, (ids.get(idType) ?? new Set()).add(id))
      }
      for (const [idType, ofType] of ids) await checkType(idType, [...ofType], ask)
    },
  }
}

function keyOf({ id, idType }: Id): string {
  return `${idType} ${id}`
}

function faultOf(idType: string, id: string | null | undefined, readBack: unknown): string {
  if (id === readBack) return NO_FAULT
  const found = `${JSON.stringify(id)}::${idType}::text is ${JSON.stringify(readBack)}`
  return `organization_id: ${found}, expected the same text`
}

/** Classes 22 and 23: a value that the type does not take. */
function isOfValue(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}
