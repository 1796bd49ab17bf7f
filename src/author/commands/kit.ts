/** `svodka kit`: prints a script that loads reports into another tool. Needs no database. */
import { readFileSync } from 'node:fs'
import { addDays } from '../../definitions/calendar.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { loadWithoutDatabases } from '../../command/load-all.ts'
import { print } from '../../command/output.ts'
import { PREFIX } from '../../model/terms.ts'
import { kit } from '../../kit/kit.ts'
import { KIT } from '../../kit/tools.ts'
import type { KitTool, KitToolName } from '../../kit/tools.ts'
import { reportSchema } from '../../serve/describe/schema.ts'
import { textsIn } from '../../texts/texts.ts'
import { unknownDefinition } from './definitions-named.ts'
import { periodOf } from './question.ts'

export interface KitOptions {
  readonly url: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export async function printKit(
  tool: KitToolName,
  code: string | undefined,
  { url, from, to }: KitOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const baseUrl = `${addressOf(url)}${PREFIX}`
  const period = periodOf({ from, to }, 'UTC')
  const { template, needsCode }: KitTool = KIT[tool]
  if (code === undefined && needsCode) {
    throw new CommandError(EXIT.usage, `The script for ${tool} is for one report: name its code.`)
  }
  const { catalog } = await loadWithoutDatabases(environment)
  const all = [...catalog.reports.values()]
  const reports = all.filter(report => code === undefined || report.code === code)
  if (code !== undefined && reports.length === 0) throw unknownDefinition(code, all)
  const text = readFileSync(new URL(`../../kit/${template}`, import.meta.url), 'utf8')
  const { language } = catalog.product
  const script = kit(tool, text, {
    language,
    texts: textsIn(language).kit,
    baseUrl,
    reports: reports.map(report => reportSchema(report, catalog.reports)),
    from: period.start,
    to: to === undefined ? undefined : addDays(period.end, -1),
  })
  await print(script)
  return EXIT.ok
}

/** Without a trailing slash. @throws CommandError */
function addressOf(url: string): string {
  const { protocol, origin, pathname, search, hash, username, password } = URL.canParse(url)
    ? new URL(url)
    : ({} as Partial<URL>)
  const isPlain = [search, hash, username, password].every(part => part === '')
  if (!isPlain || !['http:', 'https:'].includes(protocol ?? '')) {
    const expected = 'expected one such as https://reports.example.com, without a key'
    throw new CommandError(EXIT.usage, `--url is not the address of a gateway: ${expected}.`)
  }
  return `${origin}${pathname === '/' ? '' : pathname?.replace(/\/+$/, '')}`
}
