// What depends on data and dates, on days on which calendars change: the processes, both servers and the browser have
// the clock of `faketime`. The proof has all days and files.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { needs, start } from '../clients/clients.ts'
import { IS_PROOF } from '../harness/is-proof.ts'
import { isAlive } from '../../src/demo/processes.ts'

/** Midnight is that of Kaliningrad, where the data end, of Moscow, of Vladivostok and of the tests, in Kiritimati. */
const DAYS = `
  2027-01-01T00:30+02:00  2028-02-29T00:30+03:00  2026-11-28T12:00+03:00
  2026-11-29T00:30+03:00  2026-11-30T23:30+03:00  2026-12-01T00:30+02:00  2026-12-31T23:30+02:00
  2027-01-02T12:00+03:00  2027-01-31T23:30+03:00  2027-02-01T00:30+03:00  2027-02-28T12:00+03:00
  2027-03-01T00:30+10:00  2027-03-28T01:30+00:00  2027-03-31T23:30+03:00  2027-05-09T12:00+03:00
  2027-06-30T23:30+03:00  2027-07-01T00:30+03:00  2027-10-31T01:30+00:00  2027-11-07T06:30+00:00
  2028-01-01T00:30+14:00  2028-01-01T00:30+03:00  2028-01-02T12:00+03:00  2028-02-28T12:00+03:00
  2028-12-31T23:30+03:00`

/** Also of `make test`, on the first of the days. */
const FEW = ['calendar/rows.test', 'contract/formats-agree.test']
/** Without those whose statements sleep: `faketime` does not let a signal end that. */
const FILES = [
  ...FEW,
  'contract/bodies.test',
  'contract/compared-formats.test',
  'contract/comparison.test',
  'contract/metrics.test',
  'contract/report.test',
  'commands/question.test',
  'commands/run.test',
  'check/our-definitions.scaled',
  'check/on-replica.scaled',
  'documents/commands.test',
  'documents/tables.test',
  'kit/kit.test',
  'kit/period.test',
  'page/keyboard.test',
  'page/page.test',
  'page/print.scaled',
  'sql/aggregation.test',
  'sql/cost/reads.test',
  'sql/oracles/demo.scaled',
]
const OPTIONS = '--no-config --require dist/test/setup.js --timeout 60000 --reporter dot'.split(' ')
const all = DAYS.trim().split(/\s+/)

describe('the suite on other days', function () {
  this.timeout(300_000)
  const days = IS_PROOF ? all : all.slice(0, 1)
  before(async function () {
    await needs(this, 'faketime', ['faketime'], ['--version'])
  })

  for (const [at, day] of days.entries())
    it(`passes at ${day}`, async () => {
      const { exitCode, stdout, stderr } = await runOn(day, at)
      removeLeftovers(at)
      expect(exitCode, `${stdout.toString()}${stderr}`).to.equal(0)
    })
})

const folderOf = (at: number): string => `.demo/calendar-${at}`

function runOn(day: string, at: number) {
  const seconds = Math.round((Date.parse(day) - Date.now()) / 1000)
  const files = (IS_PROOF ? FILES : FEW).map(file => `dist/test/${file}.js`)
  const clock = ['-m', '-f', `${seconds < 0 ? '' : '+'}${seconds}s`]
  const parallel = IS_PROOF ? ['--parallel', '--jobs', '3'] : []
  const mocha = ['node_modules/mocha/bin/mocha.js', ...OPTIONS, ...parallel, ...files]
  const program = [process.execPath, '--enable-source-maps', ...mocha]
  const env = {
    LC_ALL: process.env['LC_ALL'],
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // why: without, Chromium hangs
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
    MOCHA_WORKER_ID: undefined,
    PROOFS: '',
    TEST_DATA: folderOf(at),
    // why: to copy the data, and to start the servers again, takes 2 s
    TEST_DATA_ONCE: String(!IS_PROOF),
  }
  return start('faketime', [...clock, ...program], { env }).ended
}

/** The servers' data, and what faketime shares among processes: it leaves that of an `exec` in a shell. */
function removeLeftovers(at: number): void {
  rmSync(folderOf(at), { recursive: true, force: true })
  for (const name of readdirSync('/dev/shm')) {
    const [, pid] = /^(?:sem\.)?faketime_\w+_(\d+)$/.exec(name) ?? []
    if (pid === undefined || isAlive(Number(pid))) continue
    const path = join('/dev/shm', name)
    const user = process.getuid?.()
    if (user === 0 || statSync(path).uid === user) rmSync(path, { force: true })
  }
}
