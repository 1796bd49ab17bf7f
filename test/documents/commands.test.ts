// Every command of the documents is executed on the demo's data, and every response that they print is compared.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { localDate } from '../../src/definitions/calendar.ts'
import { createProgram } from '../../src/command-line.ts'
import { GROUPS as ATTACKS } from '../attacks/groups.ts'
import { GROUPS as FAULTS } from '../faults/groups.ts'
import { MUTATIONS } from '../mutations/mutations.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { codeOf, DOCUMENTS, readDocument, type Block, type Section } from '../harness/document.ts'
import { ready, startProcess, type Addresses, type SvodkaProcess } from '../harness/process.ts'
import { createShell, type Shell } from '../harness/shell.ts'
import { scenariosNamed } from '../harness/scenario.ts'
import { run } from '../harness/shops.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

/** Sections that commands/own-database.test.ts and commands/production-install.proof.ts execute. */
const FOLLOWED_ELSEWHERE = new Set([
  'From an unknown PostgreSQL to the first exact report',
  'Install',
  // why: test/topology starts these gateways, which do not end
  'Several gateways',
])
const SERVE = 'node dist/src/main.js serve\n'
const PRINTED = new Set(['json', 'http', 'text'])
const CHECKOUT = process.cwd()
const TEST_FILES = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(path =>
  path.endsWith('.ts'),
)

/** The parts of a checkout that commands need, in a writable folder. */
function copyCheckout(): string {
  const folder = join(temporaryFolder(), 'checkout')
  mkdirSync(folder)
  for (const part of ['dist/src', 'sql', 'test/sql/oracles', 'package.json'])
    cpSync(part, join(folder, part), { recursive: true })
  symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const YEAR = Number(localDate(Date.now(), 'Europe/Moscow').slice(0, 4))
/** why: the documents are of 2026 and the year before, of which the demo has no rows from 2028 on */
const SHIFT = Math.max(0, YEAR - 2027)
const DOCUMENTED = /\b202[56](?=-\d\d-\d\d)/g

/** A text in which years are replaced by those that are later. */
const later = (text: string, years: RegExp, count: number): string =>
  text.replaceAll(years, year => String(Number(year) + count))

/** The block with the output of a block of commands. */
function printedAfter(block: Block, { blocks }: Section): Block | undefined {
  const after = block.line + block.text.split('\n').length + 2
  return blocks.find(({ line, language }) => line === after && PRINTED.has(language))
}

/** Masks figures and ids, which differ from day to day; status, names, texts and order do not. */
function maskedJson(text: string): unknown {
  return JSON.parse(text, (key, value) => {
    if (key === 'requestId' || (typeof value === 'number' && key !== 'status')) return '#'
    return key === 'summary' ? value.replaceAll(/−?\d[\d,\u00A0]*/g, '#') : value
  })
}

function maskedText(text: string): string {
  const headers = /^(X-Request-Id|ETag|Data-As-Of|Date|Age|Content-Length|Server-Timing): .*/gm
  return text
    .replaceAll('\r', '')
    .replaceAll(headers, '$1: #')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:#')
    .replaceAll(/\d+(?:\.\d)? s behind/g, '# s behind')
    .trim()
}

/** A line `...` matches any lines. */
function expectPrinted(found: string, expected: string): void {
  const [foundHead = '', foundBody] = partsOf(found)
  const [expectedHead = '', expectedBody] = partsOf(expected)
  const parts = maskedText(expectedHead).split(/^\.\.\.$/m)
  const escaped = parts.map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  expect(maskedText(foundHead)).to.match(new RegExp(`^${escaped.join('[^]*?')}$`))
  if (expectedBody !== undefined)
    expect(maskedJson(foundBody ?? 'null')).to.deep.equal(maskedJson(expectedBody))
}

/** The text before JSON, and the JSON. */
function partsOf(text: string): string[] {
  const at = text.search(/^\{/m)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at)]
}

describe('the commands of the documents', function () {
  this.timeout(120_000)
  const home = temporaryFolder()
  const folder = copyCheckout()
  let shell: Shell
  let gateway: SvodkaProcess
  let addresses: Addresses
  let primaryUrl: string
  let servers: (text: string) => string

  before(async () => {
    const cluster = await sharedCluster()
    primaryUrl = cluster.primaryUrl
    servers = text =>
      text.replaceAll(
        /postgres:\/\/(svodka_\w+):\.\.\.@(primary|replica)\/product/g,
        (_, role, side) => cluster.urlFor(role, side),
      )
    const environment = {
      DATABASE_URL: cluster.urlFor('svodka_reports', 'replica'),
      KEYS_DATABASE_URL: cluster.urlFor('svodka_keys', 'replica'),
      PROBE_DATABASE_URL: cluster.urlFor('svodka_probe', 'replica'),
    }
    shell = createShell(home, {
      main: join(folder, 'dist/src/main.js'),
      // why: existing targets are executed by their own tests
      make: `exec env -u MAKEFLAGS $(PATH=$ORIGINAL_PATH command -v make) -n -C '${CHECKOUT}' "$@" >/dev/null`,
      folder,
      environment: { ...environment, ORIGINAL_PATH: process.env['PATH'] },
    })
    // why: with `--fail`, curl ends with 22 on an error response, so an undocumented one fails the test
    writeFileSync(join(home, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
    gateway = startProcess('serve', environment)
    addresses = await ready(gateway)
  })
  after(async () => {
    gateway?.child.kill('SIGINT')
    await gateway?.exit
  })

  async function follow(text: string): Promise<string> {
    const script = servers(later(text, DOCUMENTED, SHIFT))
      .replaceAll('http://127.0.0.1:8080', addresses.url)
      .replaceAll('http://127.0.0.1:9464', addresses.opsUrl)
    if (!script.endsWith(SERVE)) {
      const output = shell.run(script)
      return text.search(DOCUMENTED) < 0
        ? output.replaceAll(String(YEAR), '2026')
        : later(output, /(?<!\d)20\d\d(?!\d)/g, -SHIFT)
    }
    const output = shell.run(script.slice(0, -SERVE.length))
    const served = startProcess('serve', shell.environment())
    await ready(served)
    served.child.kill('SIGINT')
    expect(await served.exit).to.equal(0)
    return output
  }

  for (const path of DOCUMENTS) {
    describe(`in ${path}`, () => {
      const document = readDocument(path)
      for (const section of document.sections) {
        if (FOLLOWED_ELSEWHERE.has(section.heading)) continue
        for (const block of section.blocks) {
          const [line = ''] = block.text.split('\n')
          if (block.language === 'sh')
            it(`work: ${line}`, async () => {
              const printed = printedAfter(block, section)
              const isProblem = printed?.text.includes('urn:svodka:problem') === true
              const output = await follow(
                isProblem ? `{\n${block.text}} || test $? = 22` : block.text,
              )
              if (printed !== undefined) expectPrinted(output, printed.text)
            })
          // why: other blocks are definitions, which tests of definitions load
          if (block.language === 'sql' && /^(?:create|alter|grant)\b/.test(line))
            it(`work: ${line}`, () => run(primaryUrl, `begin;${block.text};rollback`))
        }
      }

      it('exist in make and svodka if the text names them', () => {
        const prose = codeOf(document.text)
        const targets = prose.filter(text => /^(?:[A-Z_]+=\S+ )*make [a-z]/.test(text))
        shell.run(targets.join('\n'))
        const blocks = document.sections.flatMap(section => section.blocks)
        const lines = blocks.flatMap(({ text }) => text.split('\n'))
        for (const line of [...targets, ...lines]) expectSelection(line)
        for (const text of [...prose, ...lines]) expectOptions(text)
      })
    })
  }
})

/** Checks that the value of ONLY is a scenario, a file, or part of a title. */
function expectSelection(text: string): void {
  const [, target = '', value = ''] = /make ([a-z]+) ONLY=(.+)$/.exec(text) ?? []
  const only = value.replaceAll("'", '')
  const groups = { faults: FAULTS, attacks: ATTACKS }[target]
  if (groups !== undefined) return void scenariosNamed(groups, only)
  if (target === 'mutations') return void expect(MUTATIONS, text).to.have.property(only)
  // why: the reader of sql/README.md creates this report
  if (only === 'expenses_by_day') return
  const isFound =
    TEST_FILES.some(file => file.startsWith(only)) ||
    TEST_FILES.some(file => readFileSync(join('test', file), 'utf8').includes(only))
  expect(isFound, text).to.equal(true)
}

function expectOptions(text: string): void {
  const [, name] = /^(?:npx )?svodka ([a-z]+)\b/.exec(text) ?? []
  if (name === undefined || name === 'help') return
  const { commands } = createProgram({}, async () => {})
  const command = commands.find(one => one.name() === name)
  expect(command, text).not.to.equal(undefined)
  const known = command!.options.map(({ long }) => long)
  expect(known, text).to.include.members(text.match(/--[a-z-]+/g) ?? [])
}
