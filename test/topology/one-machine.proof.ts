// The commands of "Several gateways" in config/README.md: gateways for all cores of one machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { eventually } from '../../src/demo/processes.ts'
import { readDocument } from '../harness/document.ts'
import { MAIN } from '../harness/process.ts'
import { sharedShops, shopsEnvironment } from '../harness/shops.ts'
import { isUp } from '../harness/until.ts'
import { needsHaproxy, startHaproxy } from './haproxy.ts'

describe('the gateways of one machine', function () {
  this.timeout(120_000)

  it('start with the documented commands, and HAProxy uses both', async function () {
    needsHaproxy(this)
    const [block] = readDocument('config/README.md').section('Several gateways').blocks
    const script = block!.text.replaceAll('dist/src/main.js', MAIN)
    const addresses = [...script.matchAll(/PORT=(\d+) OPS_PORT=(\d+)/g)].map(
      ([, port, opsPort]) => ({
        url: `http://127.0.0.1:${port}`,
        opsUrl: `http://127.0.0.1:${opsPort}`,
      }),
    )
    expect(addresses).to.have.length(2)
    const shell = spawn('bash', ['-c', `${script}wait`], {
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], ...shopsEnvironment(await sharedShops()) },
    })
    const ended = once(shell, 'exit')
    try {
      for (const { opsUrl } of addresses) {
        expect(await eventually(() => isUp(`${opsUrl}/readyz`), 40_000), opsUrl).to.equal(true)
      }
      const front = await startHaproxy(addresses)
      const headers = { 'X-Api-Key': 'key of shop 1' }
      expect(await front.ask('/api/public/v1/ping', headers)).to.include({ status: 200 })
      await front.stop()
    } finally {
      process.kill(-shell.pid!, 'SIGKILL')
      await ended
    }
  })
})
