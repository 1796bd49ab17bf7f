// A real nginx with default settings in front of a gateway: HTTP/1.0 to the upstream, buffers and temporary files.
import { spawn } from 'node:child_process'
import { expect } from 'chai'
import { serverAccount, writeFor } from '../../src/demo/account.ts'
import { freePort } from '../../src/demo/ports.ts'
import { rawAsker } from '../harness/raw-request.ts'
import type { RawAnswer } from '../harness/raw-request.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { until } from '../harness/until.ts'
import { breakExecutions, clientsGateway, KEY, LAST_YEAR, needs } from './clients.ts'

const FORMATS = ['json', 'ndjson', 'csv', 'csv?preset=excel', 'xlsx', 'parquet']
const PATH = '/api/public/v1/reports'

interface Nginx {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  stop(): Promise<void>
}

/** @param upstream `http://127.0.0.1:PORT` */
async function startNginx(program: string, upstream: string): Promise<Nginx> {
  const folder = temporaryFolder()
  const account = serverAccount()
  account.give(folder)
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const port = await freePort()
  const settings = `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log stderr;
events {}
http {
  access_log off;
  ${kinds.map(kind => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; } }
}
`
  writeFor(account, `${folder}/nginx.conf`, settings)
  const child = spawn(program, ['-p', folder, '-e', 'stderr', '-c', `${folder}/nginx.conf`], {
    ...account.ids,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderrText = ''
  child.stderr.on('data', chunk => (stderrText += chunk))
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const kill = (): void => void child.kill('SIGTERM')
  process.once('exit', kill)
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${stderrText}`)
    return fetch(url).then(
      () => true,
      () => false,
    )
  })
  const stop = async (): Promise<void> => {
    kill()
    await ended
    process.off('exit', kill)
  }
  return { url, stop }
}

describe('behind nginx', function () {
  this.timeout(60_000)
  const world = clientsGateway({ CACHE_MAX_ENTRY_BYTES: '1MiB' })
  let nginx: Nginx

  before(async function () {
    // why: Debian installs it in a folder of root's PATH
    const program = await needs(this, 'nginx-light', ['nginx', '/usr/sbin/nginx'], ['-v'])
    nginx = await startNginx(program, world.gateway.url)
  })
  after(() => nginx?.stop())

  async function raw(url: string, path: string): Promise<RawAnswer> {
    const ask = rawAsker(url)
    try {
      return await ask(PATH + path, { 'X-Api-Key': KEY })
    } finally {
      ask.close()
    }
  }

  for (const report of ['ledger', 'noise']) {
    it(`each format is complete, with a length, whether it is cached or not: ${report}`, async () => {
      for (const format of FORMATS) {
        const path = `/${report}.${format}${format.includes('?') ? '&' : '?'}${LAST_YEAR}`
        const direct = await raw(world.gateway.url, path)
        const { status, headers, bytes } = await raw(nginx.url, path)
        expect([status, Number(headers['content-length']), headers.etag], format).to.deep.equal([
          200,
          direct.bytes.length,
          direct.headers.etag,
        ])
        expect(bytes.equals(direct.bytes), format).to.equal(true)
      }
    })
  }

  it('an execution that breaks midway is a problem in each format, never a partial body', async () => {
    const responses = await breakExecutions(world, () =>
      Promise.all(FORMATS.map(format => raw(nginx.url, `/noise.${format}`))),
    )
    for (const [at, { status, headers, bytes }] of responses.entries()) {
      expect(status, FORMATS[at]).to.be.within(500, 504)
      expect(headers['content-type'], FORMATS[at]).to.include('application/problem+json')
      expect(JSON.parse(bytes.toString()), FORMATS[at]).to.include({ status })
    }
  })
})
