/** Definitions by the names that a person types: a report's code, `finance/debts`, `metrics/finance`, `finance`, or a path. */
import { basename, dirname, resolve } from 'node:path'
import { allDefinitions, type AnyDefinition } from '../../definitions/any-definition.ts'
import { describeFinding } from '../../definitions/findings.ts'
import { nearest } from '../../definitions/spelling.ts'
import { CommandError, EXIT } from '../../serve/command-line/exit.ts'
import type { LoadedPart } from './load-what-loads.ts'

/** @throws CommandError with what is wrong with its file, or with the likely spelling. */
export function definitionNamed(
  name: string,
  { sqlDir, catalog, findings }: LoadedPart,
): AnyDefinition {
  const all = allDefinitions(catalog)
  const [found] = answeringTo(name, all, sqlDir)
  if (found !== undefined) return found
  const broken = findings.filter(({ file }) => basename(file, '.sql') === basename(name, '.sql'))
  if (broken.length > 0) {
    throw new CommandError(EXIT.findings, broken.map(describeFinding).join('\n'))
  }
  throw unknownDefinition(name, all)
}

interface Named {
  readonly name: string
  readonly file: string
}

/** Those of the first way in which any is meant: by name, as metrics, by group and code, by path. */
export function answeringTo<T extends Named>(
  typed: string,
  all: readonly T[],
  sqlDir: string,
): readonly T[] {
  const ways: Array<(definition: Named) => boolean> = [
    ({ name }) => name === typed,
    ({ name }) => name === `metrics/${typed}`,
    ({ file }) => file.endsWith(`/reports/${typed}.sql`),
    ({ file }) => resolve(dirname(sqlDir), file) === resolve(typed),
  ]
  return ways.map(way => all.filter(way)).find(found => found.length > 0) ?? []
}

/** With the likely spelling. */
export function unknownDefinition(typed: string, all: readonly Named[]): CommandError {
  const known = all.map(({ name }) => name)
  const likely = nearest(typed, known) ?? nearest(basename(typed, '.sql'), known)
  const advice = likely === undefined ? '`svodka list` shows them' : `did you mean "${likely}"?`
  return new CommandError(EXIT.usage, `There is no definition "${typed}", ${advice}`)
}
