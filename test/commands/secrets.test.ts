// Passwords must not appear in output of commands and the gateway.
import { expect } from 'chai'
import { asker } from '../harness/ask.ts'
import { PASSWORDS, piecesOf } from '../harness/passwords.ts'
import { listening, startProcess } from '../harness/process.ts'
import { sharedShops, shopsEnvironment, SHOPS_SQL_DIR } from '../harness/shops.ts'
import { svodka } from '../harness/svodka.ts'
import { until } from '../harness/until.ts'
import { command } from './in-process.ts'

function expectNoPiece(text: string, password: string): void {
  for (const piece of piecesOf(password)) expect(text).not.to.contain(piece)
}

describe('a password', () => {
  const password = PASSWORDS.find(each => each.includes('?') && each.includes('@'))!
  const unknownHost = `postgres://u:${encodeURIComponent(password)}@nowhere.invalid/erp`
  let shops: NodeJS.ProcessEnv
  let wrongPassword: string

  before(async () => {
    shops = shopsEnvironment(await sharedShops())
    const { host, pathname } = new URL(shops['DATABASE_URL']!)
    wrongPassword = `postgres://nobody_here:${encodeURIComponent(password)}@${host}${pathname}`
  })

  it('is not shown by the errors of the settings, with any characters and in any variable', async () => {
    for (const each of PASSWORDS) {
      const raw = `postgres://u:${each}@replica.example/erp`
      const encoded = `postgres://u:${encodeURIComponent(each)}@replica.example`
      for (const environment of [
        { DATABASE_URL: `mysql://u:${each}@replica.example/erp` },
        { DATABASE_URL: `u:${each}@replica.example/erp` },
        { DATABASE_URL: `${encoded}:99999/erp` },
        { DATABASE_URL: `${encoded}:x/erp,${raw}` },
        { DATABASE_URL: `${raw},${raw}`, PROBE_DATABASE_URL: raw },
        { DATABASE_URL: `${raw},${encoded}/erp`, PROBE_DATABASE_URL: `${encoded}/erp,${raw}` },
        { DATABASE_URL: each, HOST: each, DATABSE_URL: raw, PORT: each, SQL_DIR: `${encoded}/erp` },
        { KEYS_DATABASE_URL: `mysql://u:${each}@replica.example/erp` },
        { DATABASE_URL: raw, SQL_DIR: raw, HOST: raw, OPS_HOST: encoded, PORT: raw, TMPDIR: raw },
        { DATABASE_URL_FILE: raw, KEYS_DATABASE_URL_FILE: encoded, PROBE_DATABASE_URL_FILE: raw },
        { DATABASE_URL_FILE: `u:${each}@replica.example/erp`, EXPLORER: raw },
        { DATABASE_URL_FILE: `host=h password=${each}` },
      ]) {
        const { code, stdout, stderr } = await command('serve', environment)
        expect(code, stderr).to.equal(2)
        expect(stderr).to.match(/wrong/)
        expectNoPiece(stdout + stderr, each)
      }
    }
  })

  it('is not shown by the log, problem bodies, readiness and metrics of a gateway whose databases fail', async () => {
    const gateway = startProcess('serve', {
      ...shops,
      // wrong role or password, no TLS, no such name
      DATABASE_URL: wrongPassword,
      PROBE_DATABASE_URL: `${wrongPassword}?sslmode=require`,
      KEYS_DATABASE_URL: unknownHost,
      LOG_LEVEL: 'trace',
    })
    try {
      const { url, opsUrl } = await listening(gateway)
      const response = await asker(url, 'key of shop 1')('/reports/receipts')
      expect(response.status).to.equal(503)
      await until(() => /ENOTFOUND|EAI_AGAIN/.test(gateway.out) && gateway.out.includes('SSL'))
      const pages = ['/readyz?verbose', '/metrics'].map(async path =>
        (await fetch(`${opsUrl}${path}`)).text(),
      )
      const shown = [response.text, ...(await Promise.all(pages))]
      gateway.child.kill('SIGINT')
      expect(await gateway.exit).to.equal(0)
      expectNoPiece([gateway.out, gateway.err, ...shown].join('\n'), password)
    } finally {
      gateway.child.kill('SIGKILL')
    }
  })

  for (const line of ['check', 'run receipts --key-file -', 'explain receipts --key-file -']) {
    it(`is not shown by ${line} if the database cannot be queried`, async () => {
      const settings = {
        SQL_DIR: SHOPS_SQL_DIR,
        DATABASE_URL: line.startsWith('explain') ? `${wrongPassword}?sslmode=require` : unknownHost,
        KEYS_DATABASE_URL: shops['DATABASE_URL']!,
      }
      const { code, stdout, stderr } = await svodka(line.split(' '), settings, 'key of shop 1')
      expect(code, stderr).to.equal(3)
      expect(stderr).to.match(/ENOTFOUND|EAI_AGAIN|SSL/)
      expectNoPiece(stdout + stderr, password)
    })
  }
})
