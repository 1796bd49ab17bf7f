// The output of tests if programs that they need are not installed.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { temporaryFolder } from './harness/temporary-folder.ts'

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

describe('a skipped test', function () {
  this.timeout(20_000)

  it('names the missing program and its package', () => {
    const folder = temporaryFolder()
    const behindHaproxy = join(folder, 'haproxy.mjs')
    writeFileSync(
      behindHaproxy,
      `import { needs } from '${pathOf('clients/clients.js')}'
      describe('behind HAProxy', () => {
        before(function () { return needs(this, 'haproxy', ['haproxy'], ['-v']) })
        it('is whole', () => {})
      })`,
    )
    const exposition = pathOf('observability/exposition.test.js')
    const reporter = 'config/mocha-reporter.cjs'
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        'node_modules/mocha/bin/mocha.js',
        '--no-config',
        '--reporter',
        reporter,
        exposition,
        behindHaproxy,
      ],
      // why: a PATH with only this folder contains no program
      { env: { PATH: folder, ONLY: 'a title' }, encoding: 'utf8' },
    )
    expect(stdout.match(/(?<=^ +)skipped .*/gm)).to.deep.equal([
      "skipped the exposition: passes promtool's check (there is no promtool: install prometheus)",
      'skipped behind HAProxy (haproxy does not run with -v: install haproxy): is whole',
    ])
    expect(stdout).to.match(/\n\d+ passed, 0 failed, 2 skipped\n$/)
    expect(status).to.equal(0)
  })
})
