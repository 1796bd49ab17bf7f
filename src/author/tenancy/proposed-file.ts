/** `tenancy.yaml` as a replica's catalog and the access files suggest it. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DefinitionErrors } from '../../definitions/findings.ts'
import { readFolder } from '../../definitions/read-folder.ts'
import type { ParseSql } from '../../definitions/sql/parsed-sql.ts'
import { parseTenancy, TENANCY_FILE, type Tenancy } from '../../definitions/tenancy.ts'
import type { QueryRows } from '../../serve/database/connection.ts'
import { readCatalogTables, type CatalogTable } from '../sql/catalog-tables.ts'
import { accessColumns, organizationKey, type OrganizationKey } from './organization-key.ts'
import { proposeTenancy, type Choice } from './proposal.ts'
import { columnsOf, lineText } from './proposed-line.ts'

export interface ProposedTenancy {
  /** All tables of the product. */
  readonly catalog: readonly CatalogTable[]
  readonly id: OrganizationKey
  /** Tables without a line in the file. */
  readonly choices: readonly Choice[]
  /** Children without an index on the columns of their link, with these. */
  readonly unindexed: readonly string[]
  /** The file; undefined if there is none. */
  readonly text: string | undefined
  readonly declared: Tenancy['tables']
}

/** @throws DefinitionErrors of the file */
export async function readProposedTenancy(
  sqlDir: string,
  parse: ParseSql,
  query: QueryRows,
): Promise<ProposedTenancy> {
  const path = join(sqlDir, TENANCY_FILE)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const parsed = parseTenancy(text ?? '', `${basename(sqlDir)}/${TENANCY_FILE}`)
  if (parsed.findings.length > 0) throw new DefinitionErrors(parsed.findings)
  const declared = parsed.tenancy?.tables ?? new Map<string, never>()
  const { files } = await readFolder(sqlDir, parse)
  const access = files.flatMap(({ loaded }) => {
    if (loaded?.kind === 'access') return [loaded.definition.text]
    return loaded?.kind === 'organizations' ? [loaded.definition.everyText] : []
  })
  const catalog = await readCatalogTables(query)
  const id = organizationKey(catalog, await accessColumns(access, parse))
  const choices = proposeTenancy(catalog, id, declared)
  return { catalog, id, choices, unindexed: unindexedIn(choices), text, declared }
}

/** `lines (order_id)` */
function unindexedIn(choices: readonly Choice[]): string[] {
  const found = choices.flatMap(({ table, line: { name, tenancy } }) => {
    if (table.isView || tenancy.kind !== 'child') return []
    const columns = columnsOf(tenancy)
    return columns.some(one => table.indexed.includes(one)) ? [] : `${name} (${columns.join(', ')})`
  })
  return [...new Set(found)].toSorted()
}

export const HEAD =
  '# To which organization the rows of each table belong: sql/README.md of svodka, "Tenancy".\n'
const TO_DECIDE = '\n# To decide: remove the # of the line that holds.\n'

/** How the organizations were found: if that is wrong, so are all lines. */
export function organizationsNote({ table, column, name, isOfAccess }: OrganizationKey): string {
  const source = isOfAccess ? 'the access files' : 'most foreign keys'
  return table === undefined
    ? `No table of organizations was found: columns "${name}" are taken for their ids.`
    : `Organizations are ${table} (${column}), by ${source}.`
}

/** The file with a line for each table; existing lines are kept. */
export function proposedText({ text = '', choices, id }: ProposedTenancy): string {
  const linesOf = (isDecided: boolean) =>
    choices.flatMap(choice => {
      if (choice.isDecided !== isDecided) return []
      const line = `${isDecided ? '' : '# '}${lineText(choice.line)}`
      const remark = choice.reason?.replaceAll(/\s+/g, ' ')
      // why: a kept file may have the choices of an earlier proposal
      return text.includes(`\n${line} `)
        ? []
        : [`${line}${remark === undefined ? '' : `   # ${remark}`}\n`]
    })
  const head = `${HEAD}# ${organizationsNote(id).replaceAll(/\s+/g, ' ')}\n`
  const kept = text.trim() === '' ? head : text.replace(/\n*$/, '\n')
  const open = linesOf(false)
  return [kept, ...linesOf(true), open.length > 0 ? TO_DECIDE : '', ...open].join('')
}
