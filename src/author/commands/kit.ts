/** `svodka kit`: prints a script that loads reports into another tool. Needs no database. */
import { readFileSync } from 'node:fs'
import { addDays } from '../../definitions/calendar.ts'
import { CommandError, EXIT } from '../../model/command-error.ts'
import { loadWithoutDatabases } from '../../command/load-all.ts'
import { print, printLine } from '../../command/output.ts'
import { PREFIX } from '../../model/terms.ts'
import type { ReportDefinition } from '../../definitions/definition.ts'
import { namesOfSet } from '../../definitions/parameter-values.ts'
import { kit, requiredOf } from '../../kit/kit.ts'
import { KIT } from '../../kit/tools.ts'
import type { KitTool, KitToolName } from '../../kit/tools.ts'
import { reportSchema } from '../../serve/describe/schema.ts'
import { textsIn } from '../../texts/texts.ts'
import { unknownDefinition } from './definitions-named.ts'
import { periodOf, valuesOf } from './question.ts'

export interface KitOptions {
  readonly url: string
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Values of parameters: `warehouse=12`. */
  readonly set?: readonly string[] | undefined
}

export async function printKit(
  tool: KitToolName,
  code: string | undefined,
  { url, from, to, set }: KitOptions,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (!URL.canParse(url) || !/^https?:\/\/[^\s?#@]+$/.test(url)) {
    const expected = 'expected one such as https://reports.example.com, without a key'
    throw new CommandError(EXIT.usage, `--url is not the address of a gateway: ${expected}.`)
  }
  const baseUrl = url.replace(/\/*$/, PREFIX)
  const period = periodOf({ from, to }, 'UTC')
  const { template, needsCode }: KitTool = KIT[tool]
  if (code === undefined && needsCode) {
    throw new CommandError(EXIT.usage, `The script for ${tool} is for one report: name its code.`)
  }
  if (code === undefined && set !== undefined)
    throw new CommandError(EXIT.usage, '--set is for the parameters of one report: name its code.')
  const { catalog } = await loadWithoutDatabases(environment)
  const all = [...catalog.reports.values()]
  const reports = all.filter(report => code === undefined || report.code === code)
  if (code !== undefined && reports.length === 0) throw unknownDefinition(code, all)
  const text = readFileSync(new URL(`../../kit/${template}`, import.meta.url), 'utf8')
  const { language, currency } = catalog.product
  const schemas = reports.map(report => reportSchema(report, catalog.reports))
  const values = set === undefined ? {} : givenValues(reports[0]!, set)
  const script = kit(tool, text, {
    language,
    currency,
    texts: textsIn(language).kit,
    baseUrl,
    reports: schemas,
    values,
    from: period.start,
    to: to === undefined ? undefined : addDays(period.end, -1),
  })
  await print(script)
  for (const schema of schemas) {
    const missing = requiredOf(schema).filter(name => !Object.hasOwn(values, name))
    if (missing.length > 0) printLine(`${schema.code} needs ${missing.join(', ')}: ${REMEDY}`)
  }
  return EXIT.ok
}

const REMEDY = 'name it with --set, or use a key that fixes the values.'

/** @throws CommandError as `valuesOf`, but for those that are missing */
function givenValues(definition: ReportDefinition, set: readonly string[]) {
  const parameters = definition.parameters.map(one => ({ ...one, required: false }))
  const values = valuesOf({ set }, { ...definition, parameters })
  const names = namesOfSet(parameters, values)
  return Object.fromEntries(names.map(name => [name, values.get(name)!]))
}
