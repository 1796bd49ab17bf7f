/** `svodka tenancy`: prints `tenancy.yaml` as the catalog of a replica suggests it, and what remains to be decided. */
import type { Config } from '../../config/config.ts'
import { withSqlParser } from '../../definitions/sql/sql-parser.ts'
import { EXIT } from '../../model/command-error.ts'
import { orFindings } from '../../command/load-all.ts'
import { print, printLine } from '../../command/output.ts'
import { counted } from '../plans/figures.ts'
import {
  organizationsNote,
  proposedText,
  readProposedTenancy,
  type ProposedTenancy,
} from '../tenancy/proposed-file.ts'
import { withDatabases } from './databases.ts'
import { queriesOn, reached, withSession } from './session.ts'

/** @throws CommandError without a database, or for errors in an existing file */
export function tenancy(
  options: { readonly demo?: boolean },
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return withDatabases(environment, options, config =>
    withProposal(config, async proposed => {
      await print(proposedText(proposed))
      for (const line of summary(proposed)) printLine(line)
      return EXIT.ok
    }),
  )
}

/** @throws as `tenancy` */
export function withProposal<T>(
  config: Config,
  use: (proposed: ProposedTenancy) => Promise<T>,
): Promise<T> {
  const { sqlDir } = config
  return orFindings(sqlDir, () =>
    withSqlParser(parse =>
      withSession(config, async client =>
        use(await reached(() => readProposedTenancy(sqlDir, parse, queriesOn(client)))),
      ),
    ),
  )
}

function summary({ id, choices, unindexed, text }: ProposedTenancy): string[] {
  const found = new Set(choices.map(one => one.table))
  const open = new Set(choices.flatMap(one => (one.isDecided ? [] : one.line.name)))
  const kept = text === undefined ? '' : ', in addition to the lines of the file'
  const todo = open.size === 0 ? '' : `; to decide: ${[...open].join(', ')}`
  const proposed = `${counted(found.size, 'table')} proposed${kept}${todo}.`
  const slow =
    unindexed.length === 0
      ? []
      : [
          `No index, so a report that reads them from their parents reads all rows of ${unindexed.join(', ')}.`,
        ]
  return [organizationsNote(id), proposed, ...slow]
}
