// Scripts whose tool does not run here are read by a parser of their language, and none lets a title or a URL end its
// literal or comment. Run by other tests: curl, python, duckdb; by `make prove`: psql, r. Parsed only: powerquery, 1c,
// appsscript, airbyte, dlt.
import { spawnSync } from 'node:child_process'
import { Script } from 'node:vm'
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser'
import { expect } from 'chai'
import { load as parse } from 'js-yaml'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { KIT, KIT_TOOLS, type KitTool, type KitToolName } from '../../src/kit/tools.ts'
import { reportSchema, type ReportSchema } from '../../src/serve/describe/schema.ts'
import { parseSql } from '../harness/parse-sql.ts'
import { skip } from '../harness/skip.ts'
import { SQL_DIR } from '../saas/product.ts'
import { scriptOf, type ScriptSource } from './kits.ts'

const BASE = 'https://reports.example.com/api/public/v1'
const HOSTILE = `it's "quoted" \\ */ --> $(touch x) \`touch x\` \${x} {{ x }} """ ''' #(lf) %s\r\nimport os\nSQL\n'; drop table x; -- \u2028x()\u202E`
const HOSTILE_BASE = `https://h/it's/"q"/\\/$(touch%20x)/\`x\`/v1`

/** Runs a program that reads the script from stdin. */
function accepted(context: Mocha.Context, script: string, program: string, ...options: string[]) {
  const { error, status, stderr } = spawnSync(program, options, {
    input: script,
    encoding: 'utf8',
  })
  if (error !== undefined) skip(context, `${program} does not run`)
  expect(status, stderr).to.equal(0)
}

type Check = (this: Mocha.Context, script: string, source: ScriptSource) => void | Promise<void>

const shell: Check = function (script) {
  accepted(this, script, 'sh', '-n')
}
const pythonSyntax: Check = function (script) {
  accepted(this, script, 'python3', '-c', 'import ast, sys; ast.parse(sys.stdin.read())')
}

const rSyntax: Check = function (script) {
  accepted(this, script, 'Rscript', '-e', 'invisible(parse(file("stdin"), encoding = "UTF-8"))')
}

interface Stream {
  readonly primary_key: string[]
  readonly retriever: { readonly requester: { readonly path: string } }
}

const CHECKS: Readonly<Record<KitToolName, Check>> = {
  pandas: pythonSyntax,
  frame: rSyntax,
  curl: shell,
  duckdb: shell,
  psql: shell,
  python: pythonSyntax,
  dlt: pythonSyntax,
  r: rSyntax,
  appsscript: script => void new Script(script),
  async powerquery(script) {
    const task = await TaskUtils.tryLexParse(DefaultSettings, script)
    expect(TaskUtils.isParseStageOk(task), script).to.equal(true)
  },
  '1c'(script) {
    const code = script.replaceAll(/"(?:[^"\n]|"")*"|\/\/.*/g, '')
    expect(code).not.to.include('"')
    const count = (word: string): number =>
      code.match(new RegExp(`(?<![А-Яа-яЁё_])${word}(?![А-Яа-яЁё_])`, 'g'))?.length ?? 0
    for (const [opening = '', closing = ''] of [
      ['Функция', 'КонецФункции'],
      ['Если', 'КонецЕсли'],
      ['Цикл', 'КонецЦикла'],
    ])
      expect([closing, count(closing)]).to.deep.equal([closing, count(opening)])
    expect(code.split('(').length).to.equal(code.split(')').length)
  },
  airbyte(script, { reports, baseUrl, values = {} }) {
    // oxlint-disable-next-line typescript/no-explicit-any -- why: a file of another program, whose schema is not ours
    const manifest = parse(script) as any
    expect(manifest.definitions.requester.url_base).to.equal(baseUrl)
    expect(manifest.spec.connection_specification.properties.api_key.airbyte_secret).to.equal(true)
    const streams = manifest.streams.map((stream: Stream) => {
      const { pathname, searchParams } = new URL(BASE + stream.retriever.requester.path)
      return [pathname, stream.primary_key, Object.fromEntries(searchParams)]
    })
    const expected = reports.map(({ code, key }) => [
      `/api/public/v1/reports/${code}.json`,
      key,
      values,
    ])
    expect(streams).to.deep.equal(expected)
    const [{ name }] = manifest.streams
    expect(manifest.check.stream_names).to.deep.equal([name])
    expect(name === reports[0]!.code).to.equal(Object.keys(values).length === 0)
    const { properties } = manifest.streams[0].schema_loader.schema
    expect(Object.keys(properties)).to.deep.equal(reports[0]!.columns.map(({ key }) => key))
  },
}

describe("the kit's scripts", () => {
  let all: readonly ReportSchema[] = []
  /** Of a product in English, with several currencies. */
  let others: readonly ReportSchema[] = []
  before(async () => {
    const schemasIn = async (folder: string) => {
      const { reports } = await loadCatalog(folder, parseSql)
      return [...reports.values()].map(report => reportSchema(report, reports))
    }
    all = await schemasIn('sql')
    others = await schemasIn(SQL_DIR)
  })
  /** With a column whose name is a word of R. */
  const reserved = ({ columns, ...report }: ReportSchema): ReportSchema => ({
    ...report,
    columns: columns.map(one => (one.key === 'amount' ? { ...one, key: 'if' } : one)),
  })
  const one = (): ReportSchema => all.find(({ code }) => code === 'operations')!
  const period = { baseUrl: BASE, from: '2026-01-15', to: '2026-03-31' }

  const withTitle = (title: string): ScriptSource => ({ ...period, reports: [{ ...one(), title }] })

  for (const tool of KIT_TOOLS) {
    it(`for ${tool} are accepted by its parser`, async function () {
      const sources: ScriptSource[] = [{ ...period, reports: [one()] }, withTitle(HOSTILE)]
      sources.push({ ...sources[0]!, values: { kind: HOSTILE, category: '12' } })
      const { needsCode }: KitTool = KIT[tool]
      const ofOne = others.filter(({ code }) => code === 'invoices').map(reserved)
      if (!needsCode) sources.push({ ...period, reports: all, to: undefined })
      sources.push({ ...period, reports: needsCode ? ofOne : others, language: 'en' })
      for (const source of sources) await CHECKS[tool].call(this, scriptOf(tool, source), source)
      const hostileBase = { ...withTitle('Отчёт'), baseUrl: HOSTILE_BASE }
      await CHECKS[tool].call(this, scriptOf(tool, hostileBase), hostileBase)
    })

    it(`for ${tool} have titles in comments and literals only`, () => {
      const plain = scriptOf(tool, withTitle('Отчёт')).split('\n')
      const hostile = scriptOf(tool, withTitle(HOSTILE)).split('\n')
      expect(hostile.length).to.equal(plain.length)
      for (const [at, line] of hostile.entries()) {
        if (line === plain[at]) continue
        expect(line).to.match(/^(?:#|\/\/) /)
        expect(line).not.to.match(/[\p{Cc}\u2028\u202E]/u)
      }
    })

    it(`for ${tool} have no key, and show how to run them`, () => {
      const script = scriptOf(tool, { ...period, reports: [one()] })
      expect(script).not.to.match(/sk_demo|[?&](?:api_?)?key=/i)
      expect(script.split('\n').slice(0, 8).join('\n')).to.match(/[а-я]/)
      expect(script.split('\n').length, 'lines').to.be.at.most(170)
      if (tool === '1c') return
      for (const report of others) {
        const source = { ...period, reports: [report], language: 'en', find: 'x', sort: '-amount' }
        expect(scriptOf(tool, source)).not.to.match(/[а-яё₽⟦¦]/i)
      }
    })
  }

  it('quote the URL for a shell, Python, R and 1C', () => {
    const of = (tool: KitToolName): string =>
      scriptOf(tool, { ...withTitle('Отчёт'), baseUrl: HOSTILE_BASE })
    const assigned = /^url=.*$/m.exec(of('curl'))![0]
    const { stdout } = spawnSync('sh', ['-c', `${assigned}; printf %s "$url"`], {
      encoding: 'utf8',
    })
    expect(stdout).to.equal(HOSTILE_BASE)
    for (const [tool, pattern] of [
      ['python', /^URL = (.*)$/m],
      ['r', /^base <- (.*)$/m],
    ] as const)
      expect(JSON.parse(pattern.exec(of(tool))![1]!), tool).to.equal(HOSTILE_BASE)
    const path = new URL(HOSTILE_BASE).pathname.replaceAll('"', '""')
    expect(of('1c')).to.include(`Адрес = "${path}" +`)
  })
})
