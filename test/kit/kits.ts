// The kit's scripts, written for a gateway of tests through a front, and executed as their users would.
import { textsIn } from '../../src/texts/texts.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { kit, type KitReport, type KitSource } from '../../src/kit/kit.ts'
import { KIT, type KitToolName } from '../../src/kit/tools.ts'
import { clientsGateway, KEY, start, type Running } from '../clients/clients.ts'
import type { World } from '../harness/shops-gateway.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { startFront, type Front } from './front.ts'

/** Of all scripts. */
export const PERIOD = 'from=2026-01-01&to=2026-04-30'
export const MONTHS = [1, 2, 3, 4]

/** Of the rows of `receipts` in a month, as loaders request them. */
export function pathOf(month: number): string {
  const lastDay = new Date(Date.UTC(2026, month, 0)).toISOString().slice(0, 10)
  return `/reports/receipts.ndjson?from=${lastDay.slice(0, 8)}01&to=${lastDay}`
}

const NO_CACHE = { headers: { 'Cache-Control': 'no-cache' } }

export type Row = Readonly<Record<string, string | number | null>>

export interface Kits {
  readonly world: World
  readonly front: Front
  readonly folder: string
  /** Writes the script of a tool for one report. @returns its path */
  write(tool: KitToolName, code: string, name: string, more?: Partial<KitSource>): Promise<string>
  run(program: string, options: readonly string[], env?: NodeJS.ProcessEnv): Running
  /** The rows of a report. */
  rows(code: string): Promise<Row[]>
  /** Replaces the cached months of `receipts`. */
  refresh(): Promise<void>
}

/** By default in Russian, with roubles. */
export type ScriptSource = Omit<KitSource, 'language' | 'texts' | 'currency'> & {
  readonly language?: string
}

/** The script of a tool. */
export function scriptOf(tool: KitToolName, source: ScriptSource): string {
  const { language = 'ru' } = source
  const { kit: texts } = textsIn(language)
  const template = readFileSync(`src/kit/${KIT[tool].template}`, 'utf8')
  return kit(tool, template, { currency: { code: 'RUB', digits: 2 }, ...source, language, texts })
}

/** Registers the hooks; the result is complete before the first test. */
export function kits(): Kits {
  const world = clientsGateway()
  const folder = temporaryFolder()
  const all = { world, folder } as { -readonly [Name in keyof Kits]: Kits[Name] }
  before(async () => {
    all.front = await startFront(world.gateway.url)
  })
  after(() => all.front?.close())
  return Object.assign(all, {
    async write(tool: KitToolName, code: string, name: string, more: Partial<KitSource> = {}) {
      const { json } = await world.ask(`/reports/${code}/schema`)
      const baseUrl = `${all.front.url}/api/public/v1`
      const period = { from: '2026-01-01', to: '2026-04-30', ...more }
      const script = join(folder, name)
      writeFileSync(script, scriptOf(tool, { baseUrl, reports: [json as KitReport], ...period }))
      return script
    },
    run: (program: string, options: readonly string[], env: NodeJS.ProcessEnv = {}) =>
      start(program, options, { cwd: folder, env: { SVODKA_KEY: KEY, ...env } }),
    async rows(code: string) {
      const { text } = await world.ask(`/reports/${code}?${PERIOD}`, NO_CACHE)
      return sorted(exactJson(text).rows)
    },
    async refresh() {
      for (const month of MONTHS)
        expect((await world.ask(pathOf(month), NO_CACHE)).status).to.equal(200)
    },
  })
}

/** JSON whose numbers are read as texts, digit for digit. */
// oxlint-disable-next-line typescript/no-explicit-any -- why: as JSON.parse
export function exactJson(text: string): any {
  const quoted = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, token =>
    token.startsWith('"') ? token : `"${token}"`,
  )
  return JSON.parse(quoted)
}

/** Rows in one order, with values that are equal for equal instants and numbers. */
export function sorted(rows: readonly Row[]): Row[] {
  const plain = rows.map(row =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, normal(value)])),
  )
  return plain.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
}

function normal(value: string | number | null): string | null {
  if (value === null) return null
  const text = String(value)
  if (/^\d{4}-\d\d-\d\d[T ]\d/.test(text)) return new Date(text).toISOString()
  return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text
}

/** Ends the script with SIGKILL while it reads this response. */
export async function killAt({ front }: Kits, path: RegExp, begin: () => Running): Promise<void> {
  const reached = front.hold(path)
  const { child, ended } = begin()
  const early = ended.then(({ stdout, stderr }) => {
    throw new Error(`it has ended before: ${stdout.toString()}${stderr}`)
  })
  await Promise.race([reached, early])
  child.kill('SIGKILL')
  // why: programs that a shell started live on
  front.release()
  early.catch(() => undefined)
  expect((await ended).exitCode).to.equal(-1)
}

/** @throws Error with its output if it fails @returns what it printed */
export async function succeeds({ ended }: Running): Promise<string> {
  const { exitCode, stdout, stderr } = await ended
  expect(exitCode, `${stdout.toString()}${stderr}`).to.equal(0)
  return stdout.toString() + stderr
}

/** Requires that a rejected key is reported with the detail and the request id, and is not printed. */
export async function reportsProblem(
  kits: Kits,
  program: string,
  options: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { observations } = kits.world.gateway
  const before = observations.length
  const rejected = { ...env, SVODKA_KEY: 'disabled key of shop 1' }
  const { exitCode, stdout, stderr } = await kits.run(program, options, rejected).ended
  const printed = `${stdout.toString()}${stderr}`
  expect(exitCode, printed).to.be.greaterThan(0)
  expect(printed).to.include('Ключ неизвестен или отозван')
  expect(printed).not.to.include('disabled key')
  const requests = JSON.stringify(observations.slice(before))
  const ids = requests.match(/(?<="requestId":")[\w-]+/g) ?? []
  expect(
    ids.some(id => printed.includes(id)),
    printed,
  ).to.equal(true)
}
