import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { svodka } from '../support/svodka.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const NODE = `'${process.execPath}' '${MAIN}'`

/** The exit code is that of the first part of a pipe. */
function shell(
  command: string,
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-o', 'pipefail', '-c', command])
    let stderr = ''
    child.stderr.on('data', chunk => (stderr += chunk))
    child.once('error', reject)
    child.once('close', code => resolve({ code, stderr }))
  })
}

describe('the command line', () => {
  it('shows its help on stdout, examples first', async () => {
    const { code, stdout, stderr } = await svodka(['--help'])
    expect(code).to.equal(0)
    expect(stderr).to.equal('')
    expect(stdout).to.match(/^Examples:\n +svodka check[^]*Usage: svodka[^]*Exit codes: 0 ok/)
  })

  for (const command of ['serve', 'demo', 'new', 'run', 'list']) {
    it(`shows the help of ${command}, examples first`, async () => {
      const { code, stdout } = await svodka([command, '--help'])
      expect(code).to.equal(0)
      expect(stdout).to.match(new RegExp(`^Examples:\\n[^]*Usage: svodka ${command}`))
    })
  }

  it('without a command shows its help on stderr and ends with 2', async () => {
    const { code, stdout, stderr } = await svodka([])
    expect([code, stdout]).to.deep.equal([2, ''])
    expect(stderr).to.contain('Usage: svodka')
  })

  it('suggests the likely command', async () => {
    const { code, stderr } = await svodka(['sevre'])
    expect(code).to.equal(2)
    expect(stderr).to.contain("unknown command 'sevre'").and.contain('Did you mean serve?')
  })

  it('suggests the likely command to whoever asks for its help', async () => {
    const { code, stdout, stderr } = await svodka(['help', 'sevre'])
    expect([code, stdout]).to.deep.equal([2, ''])
    expect(stderr).to.contain("unknown command 'sevre'").and.contain('Did you mean serve?')
  })

  for (const option of ['--org', '--from', '--to', '--key-file']) {
    it(`refuses ${option} twice`, async () => {
      const { code, stderr } = await svodka(['run', 'debts', option, '1', option, '2'])
      expect(code).to.equal(2)
      expect(stderr).to.contain(`option '${option} `).and.contain('expected it once')
    })
  }

  it('ends quietly where nobody reads its output', async () => {
    for (const args of ['--help', 'list', 'list --json']) {
      expect(await shell(`${NODE} ${args} | true`)).to.deep.equal({ code: 0, stderr: '' })
    }
  })

  it('ends with 3 and a line where its output cannot be written', async function () {
    if (!existsSync('/dev/full')) this.skip()
    for (const args of ['--help', 'list']) {
      const { code, stderr } = await shell(`${NODE} ${args} > /dev/full`)
      expect(code).to.equal(3)
      expect(stderr).to.match(/^The output cannot be written: ENOSPC[^\n]*\n$/)
    }
  })

  it('is not stopped by a setting that a command has no use for', async () => {
    expect((await svodka(['list'], { PORT: 'many', LOG_LEVEL: 'loud' })).code).to.equal(0)
  })

  it('refuses an option that there is not, and ends with 2', async () => {
    const { code, stderr } = await svodka(['new', 'finance/rent', '--force'])
    expect(code).to.equal(2)
    expect(stderr).to.contain("unknown option '--force'")
  })

  it('says what is wrong with settings, and ends with 2', async () => {
    const { code, stdout, stderr } = await svodka(['serve'], { PORT: 'many' })
    expect([code, stdout]).to.deep.equal([2, ''])
    expect(stderr).to.match(/^2 settings are wrong:\n {2}DATABASE_URL is not set[^]*PORT is "many"/)
  })
})
