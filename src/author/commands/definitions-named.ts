/** Finds definitions by argument: a report's code, `finance/debts`, `metrics/finance`, `finance`, or a path. */
import { basename, dirname, resolve } from 'node:path'
import { allDefinitions, type AnyDefinition } from '../../definitions/any-definition.ts'
import { describeFinding } from '../../definitions/findings.ts'
import { nearest } from '../../model/spelling.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import type { LoadedPart } from './load-what-loads.ts'

/** @throws CommandError with the findings of its file, or with the likely spelling. */
export function definitionNamed(name: string, loaded: LoadedPart): AnyDefinition {
  const all = allDefinitions(loaded.catalog)
  const [found] = answeringTo(name, all, loaded.sqlDir)
  if (found !== undefined) return found
  const broken = loaded.findings.filter(
    ({ file }) => basename(file, '.sql') === basename(name, '.sql'),
  )
  if (broken.length === 0) throw unknownDefinition(name, all)
  throw new CommandError(EXIT.findings, broken.map(describeFinding).join('\n'))
}

interface Named {
  readonly name: string
  readonly file: string
}

export function answeringTo<T extends Named>(
  typed: string,
  all: readonly T[],
  sqlDir: string,
): readonly T[] {
  const path = resolve(typed)
  return all.filter(
    ({ name, file }) =>
      [typed, `metrics/${typed}`].includes(name) ||
      file.endsWith(`/reports/${typed}.sql`) ||
      resolve(dirname(sqlDir), file) === path,
  )
}

export function unknownDefinition(typed: string, all: readonly Named[]): CommandError {
  const known = all.map(({ name }) => name)
  const likely = nearest(typed, known) ?? nearest(basename(typed, '.sql'), known)
  const advice = likely === undefined ? '`svodka list` shows them' : `did you mean "${likely}"?`
  return new CommandError(EXIT.usage, `There is no definition "${typed}", ${advice}`)
}
