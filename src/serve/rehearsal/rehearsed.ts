/** Which definitions have been planned on the replica, and how they did. Knows no file and no Koa. */
import { allDefinitions } from '../../definitions/any-definition.ts'
import type { AccessDefinition, Catalog, Definition } from '../../definitions/definition.ts'
import { classifyError } from '../replica/classify-error.ts'
import { wordsOf } from '../replica/fault.ts'
import type { Refusal, Rehearsal } from '../replica/rehearse.ts'
import { rehearsalsOf } from './rehearsals.ts'

/**
 * Not yet until the replica could be asked about a catalog for the first time; put off where keys or the
 * replica could not be asked about all of this one.
 */
export type RehearsalState = 'not yet' | 'put off' | { readonly refused: number }

export interface Rehearsed {
  /**
   * Has all of a catalog planned but what is known to run; a key look-up that fails is refused alone.
   * Undefined where keys or the replica cannot be asked. Never fails.
   */
  rehearse(catalog: Catalog): Promise<readonly Refusal[] | undefined>
  /** What is known of a catalog now. */
  stateOf(catalog: Catalog): RehearsalState
}

export function createRehearsed(options: {
  readonly idType: (access: AccessDefinition) => Promise<string>
  readonly rehearse: (rehearsals: readonly Rehearsal[]) => Promise<readonly Refusal[] | undefined>
}): Rehearsed {
  let tried = false
  /** The type of id that the outcomes below are for. */
  let lastIdType: string | undefined
  let outcomes = new WeakMap<Definition, 'runs' | 'refused'>()

  async function ask(catalog: Catalog): Promise<readonly Refusal[] | undefined> {
    const idType = await options.idType(catalog.access).catch(refusalOf(catalog.access))
    // why: databases of keys that are away come back, and leave the gateway ready
    if (typeof idType !== 'string') tried = true
    if (typeof idType !== 'string') return idType
    if (idType !== lastIdType) outcomes = new WeakMap()
    lastIdType = idType

    const asked = allDefinitions(catalog).filter(one => outcomes.get(one) !== 'runs')
    const names = new Set(asked.map(({ name }) => name))
    const rehearsals = rehearsalsOf(catalog, idType).filter(({ name }) => names.has(name))
    const refusals = rehearsals.length === 0 ? [] : await options.rehearse(rehearsals)
    if (refusals === undefined) return undefined
    tried = true
    const refused = new Set(refusals.map(({ definition }) => definition))
    for (const one of asked) outcomes.set(one, refused.has(one.name) ? 'refused' : 'runs')
    return refusals
  }

  return {
    rehearse: ask,
    stateOf(catalog) {
      if (!tried) return 'not yet'
      const all = allDefinitions(catalog).map(definition => outcomes.get(definition))
      if (all.includes(undefined)) return 'put off'
      return { refused: all.filter(outcome => outcome === 'refused').length }
    },
  }
}

/** An error of the SQL is the key look-up's; any other says nothing of it. */
function refusalOf({ file }: AccessDefinition): (error: unknown) => readonly Refusal[] | undefined {
  return error => {
    if (classifyError(error).code !== 'internal_error') return undefined
    const finding = { file, line: undefined, message: wordsOf(error) }
    return [{ definition: 'access', finding, error }]
  }
}
