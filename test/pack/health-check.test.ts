// The health check of the Containerfile, which node executes in the container.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect } from 'chai'

const [, json = ''] =
  /HEALTHCHECK [^]*?CMD (\[.*\])/.exec(readFileSync('config/container/Containerfile', 'utf8')) ?? []
const [, ...args] = JSON.parse(json) as string[]

describe('the health check of the container', () => {
  for (const [OPS_HOST, bound = OPS_HOST] of [
    ['', '127.0.0.1'],
    ['0.0.0.0'],
    ['127.0.0.2'],
    ['::'],
    ['::1'],
  ] as const) {
    it(`follows OPS_HOST ${OPS_HOST || 'that is blank'}`, async () => {
      const server = createServer((_, response) => response.end())
      await new Promise<void>(resolve => server.listen(0, bound, resolve))
      const OPS_PORT = String((server.address() as AddressInfo).port)
      const check = () =>
        promisify(execFile)(process.execPath, args, { env: { OPS_HOST, OPS_PORT } })
      await check()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      expect(await check().catch(({ code }: { code: number }) => code)).to.equal(1)
    })
  }
})
