import { expect } from 'chai'
import { asker } from '../support/ask.ts'
import { PASSWORDS, piecesOf } from '../support/passwords.ts'
import { listening, startProcess } from '../support/process.ts'
import { sharedShops, shopsEnvironment, SHOPS_SQL_DIR } from '../support/shops.ts'
import type { Shops } from '../support/shops.ts'
import { svodka } from '../support/svodka.ts'
import { until } from '../support/until.ts'

function expectNoPiece(text: string, password: string): void {
  for (const piece of piecesOf(password)) expect(text).not.to.contain(piece)
}

/** All passwords, two processes at a time. */
async function forEachPassword(test: (password: string) => Promise<void>): Promise<void> {
  const left = [...PASSWORDS]
  const worker = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await test(next)
  }
  await Promise.all([worker(), worker()])
}

describe('a password', () => {
  let shops: Shops
  before(async function () {
    this.timeout(60_000)
    shops = await sharedShops()
  })

  /** The replica's URL for a role with this password; parameters decide what fails. */
  function urlOf(role: string, password: string, parameters = ''): string {
    const { host, pathname } = new URL(shops.replicaUrl)
    return `postgres://${role}:${encodeURIComponent(password)}@${host}${pathname}${parameters}`
  }

  it('is not shown by the errors of the settings', async function () {
    this.timeout(120_000)
    await forEachPassword(async password => {
      const raw = `postgres://u:${password}@replica.example/erp`
      const encoded = `postgres://u:${encodeURIComponent(password)}@replica.example`
      const { code, stdout, stderr } = await svodka(['serve'], {
        DATABASE_URL: `${encoded}:99999/erp,${raw}`,
        KEYS_DATABASE_URL: `mysql://u:${password}@replica.example/erp`,
        PROBE_DATABASE_URL_FILE: raw,
        DATABSE_URL: raw,
        HOST: raw,
        SQL_DIR: `${encoded}/erp`,
        PORT: password,
      })
      expect(code, stderr).to.equal(2)
      expect(stderr).to.contain('DATABASE_URL holds').and.contain('PROBE_DATABASE_URL_FILE')
      expectNoPiece(stdout + stderr, password)
    })
  })

  it('is not shown by the log, problem bodies, readiness and metrics of a gateway whose databases fail', async function () {
    this.timeout(180_000)
    await forEachPassword(async password => {
      const gateway = startProcess('serve', {
        ...shopsEnvironment(shops),
        // wrong role or password, no TLS, no such name
        DATABASE_URL: urlOf('nobody_here', password),
        PROBE_DATABASE_URL: urlOf('nobody_here', password, '?sslmode=require'),
        KEYS_DATABASE_URL: `postgres://u:${encodeURIComponent(password)}@nowhere.invalid/erp`,
        LOG_LEVEL: 'trace',
        LOG_REQUESTS: 'all',
      })
      try {
        const { url, opsUrl } = await listening(gateway)
        const response = await asker(url, 'key of shop 1')('/reports/receipts')
        expect(response.status).to.equal(503)
        await until(() => gateway.out.includes('ENOTFOUND') || gateway.out.includes('EAI_AGAIN'))
        await until(() => gateway.out.includes('SSL'))
        const pages = await Promise.all(
          ['/readyz?verbose', '/metrics'].map(async path =>
            (await fetch(`${opsUrl}${path}`)).text(),
          ),
        )
        gateway.child.kill('SIGINT')
        expect(await gateway.exit).to.equal(0)
        const shown = [JSON.stringify(response.json), ...pages]
        expectNoPiece([gateway.out, gateway.err, ...shown].join('\n'), password)
      } finally {
        gateway.child.kill('SIGKILL')
      }
    })
  })

  it('is not shown by check, run and explain where the database cannot be asked', async function () {
    this.timeout(180_000)
    await forEachPassword(async password => {
      const settings = { SQL_DIR: SHOPS_SQL_DIR, CONNECT_TIMEOUT: '5s' }
      const unknownHost = `postgres://u:${encodeURIComponent(password)}@nowhere.invalid/erp`
      const keys = { KEYS_DATABASE_URL: shops.replicaUrl }
      for (const [args, urls] of [
        [['check'], { DATABASE_URL: unknownHost }],
        [['run', 'receipts', '--key-file', '-'], { DATABASE_URL: unknownHost, ...keys }],
        [
          ['explain', 'receipts', '--key-file', '-'],
          { DATABASE_URL: urlOf('nobody_here', password, '?sslmode=require'), ...keys },
        ],
      ] as const) {
        const { code, stdout, stderr } = await svodka(
          args,
          { ...settings, ...urls },
          'key of shop 1',
        )
        expect(code, stderr).to.equal(3)
        expect(stderr, args.join(' ')).to.match(/ENOTFOUND|EAI_AGAIN|SSL|role|password/)
        expectNoPiece(stdout + stderr, password)
      }
    })
  })
})
