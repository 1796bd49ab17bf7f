// Prints a line per test file when it ends, failures in full at once and again at the end, and a last line for CI:
// "N passed, N failed, N skipped". With ONLY, each test has a line.
const { join, relative } = require('node:path')
const { format } = require('node:util')
const { reporters } = require('mocha')
const { files, only, title } = require('./test-files.cjs')

const OUTPUT = join(__dirname, '..', 'dist', 'test')
/** After this time without output, a line names the files in progress. */
const SILENCE_MS = 4000

// why: a test may still capture the stdout of this process when the reporter prints
const { stdout } = process
const print = (...values) => stdout.write(`${format(...values)}\n`)
reporters.Base.consoleLog = print

const namesOf = paths => paths.map(path => path.replace(/\.js$/, ''))

class OneLinePerFile extends reporters.Base {
  constructor(runner, options) {
    super(runner, options)
    this.startedAt = Date.now()
    this.printedAt = Date.now()
    this.processes = options.parallel ? options.jobs : 1
    /** Milliseconds of tests, by the names of files that have ended. */
    this.ended = new Map()
    this.file = undefined
    this.waiting = setInterval(() => this.printProgress(), 1000).unref()
    runner.on('pass', test => this.count(test, 'passed', only && 'ok     '))
    runner.on('pending', test => this.count(test, 'skipped', 'skipped'))
    runner.on('fail', (test, error) => {
      this.count(test, 'failed', 'FAILED ')
      const text = error?.stack ?? String(error)
      this.file.lines.push(...text.split('\n').map(line => `          ${line}`))
    })
  }

  count(test, what, word) {
    const name = relative(OUTPUT, test.file ?? OUTPUT).replace(/\.js$/, '')
    if (this.file?.name !== name) this.endFile()
    this.file ??= { name, passed: 0, failed: 0, skipped: 0, ms: 0, lines: [] }
    this.file[what] += 1
    this.file.ms += test.duration ?? 0
    if (word) this.file.lines.push(`        ${word} ${test.titlePath().join(': ')}`)
    // A parallel process reports its whole file in one turn of the event loop.
    if (this.processes > 1) this.ending ??= setImmediate(() => this.endFile())
  }

  endFile() {
    clearImmediate(this.ending)
    this.ending = undefined
    if (!this.file) return
    const { name, passed, failed, skipped, ms, lines } = this.file
    this.file = undefined
    this.ended.set(name, ms)
    const counts = [`${passed} passed`]
    if (failed > 0) counts.push(`${failed} FAILED`)
    if (skipped > 0) counts.push(`${skipped} skipped`)
    this.print(`${name.padEnd(44)} ${counts.join(', ')} (${(ms / 1000).toFixed(1)} s)`)
    for (const line of lines) print(line)
  }

  printProgress() {
    if (Date.now() - this.printedAt < SILENCE_MS) return
    // Processes take files in order, so the first ones that have not ended are in progress.
    const left = namesOf(files).filter(name => !this.ended.has(name))
    const running = title ? '' : `, now ${left.slice(0, this.processes).join(', ')}`
    this.print(`... ${this.ended.size} of ${files.length} files${running}`)
  }

  print(text) {
    this.printedAt = Date.now()
    const seconds = ((this.printedAt - this.startedAt) / 1000).toFixed(0)
    print(`${seconds.padStart(4)} s  ${text}`)
  }

  /** Called by mocha after the last test. */
  done(failed, exit) {
    clearInterval(this.waiting)
    this.endFile()
    const { passes, failures, pending } = this.stats
    if (failures > 0) reporters.Base.list(this.failures)
    const slowest = [...this.ended].sort(([, one], [, other]) => other - one).slice(0, 5)
    const times = slowest.map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`)
    if (!only) this.print(`The slowest: ${times.join(', ')}`)
    const isNone = passes + failures + pending === 0
    if (isNone && only) print(`No file and no title of a test has ${only}.`)
    const empty = title ? [] : namesOf(files).filter(name => !this.ended.has(name))
    if (empty.length > 0) print(`Files without a test that ran: ${empty.join(', ')}`)
    const failedCount = Math.max(failures, failed, isNone ? 1 : 0) + empty.length
    print(`${passes} passed, ${failedCount} failed, ${pending} skipped`)
    exit(failedCount)
  }
}

module.exports = OneLinePerFile
