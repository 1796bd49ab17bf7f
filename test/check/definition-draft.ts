// Builds the draft of a loaded definition.
import { basename } from 'node:path'
import { draftOf, type Draft } from '../../src/author/check/rules/draft.ts'
import { isReport, type AnyDefinition } from '../../src/definitions/any-definition.ts'
import { parseSql } from '../harness/parse-sql.ts'

export async function definitionDraft(definition: AnyDefinition): Promise<Draft> {
  const { file, version, source } = definition
  const read = { file, version, code: basename(file, '.sql'), text: source.text }
  const draft = await draftOf(read, isReport(definition) ? 'report' : 'metrics', parseSql)
  if (draft === undefined) throw new Error(`${file} cannot be parsed`)
  return draft
}
