import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { readAuthorSettings } from '../../src/author/commands/load-what-loads.ts'
import type { Setting } from '../../src/config/setting.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { DATABASE_URL, problemsOf, read } from './read.ts'

type Case = readonly [good: Readonly<Record<string, unknown>>, bad: string]

const BAD_URLS = 'mysql://a@h/d|h:5432/d|postgres://|postgres://a:b#c@h/d|postgres://a@h:x/d'
const URLS: Case = [
  {
    'postgres://a@h/d': ['postgres://a@h/d'],
    'postgresql://a:b%23c@[::1]:5433/d?sslmode=require': [
      'postgresql://a:b%23c@[::1]:5433/d?sslmode=require',
    ],
    'postgres:///erp?host=/run/postgresql': ['postgres:///erp?host=/run/postgresql'],
    'postgres://a@h/d, postgresql://a@i/d': ['postgres://a@h/d', 'postgresql://a@i/d'],
  },
  `${BAD_URLS}|postgres://a@h/d,|postgres://a@h/d,postgres://a:b#c@i/d`,
]
const PROBES: Case = [{ 'postgres://a@h/d': ['postgres://a@h/d'] }, URLS[1]]
const HOST: Case = [
  { '0.0.0.0': '0.0.0.0', '::1': '::1', 'gateway-1.example': 'gateway-1.example' },
  'localhost:80|127.0.0|http://h|a b|-..-',
]
const PORT: Case = [{ '0': 0, '65535': 65_535, ' 81 ': 81 }, '65536|-1|0x10|1e3|http|8080.0']
const WAIT: Case = [
  { '500ms': 500, '5s': 5000, '0.5m': 30_000, '7': 7000, '1.005s': 1005 },
  '0|31s|5 seconds|-5s|5S|Infinity|0.0001ms',
]
const DURATION: Case = [{ '10m': 600_000, '1h': 3_600_000 }, '2h|soon|1d']
const BYTES: Case = [
  { '65536': 65_536, '64KiB': 65_536, '1MiB': 1_048_576, '100KB': 100_000, '2MB': 2_000_000 },
  '64k|0|1e9|-1|9999999GiB|1.5',
]
const SWITCH = { true: true, '1': true, yes: true, False: false, '0': false, no: false }

const CASES: Readonly<Record<keyof typeof SETTINGS, Case>> = {
  databaseUrls: URLS,
  keysDatabaseUrls: URLS,
  keysMaxLagMs: [{ '2s': 2000, '1h': 3_600_000 }, '1s|2h|any'],
  reportsMaxLagMs: [{ '2s': 2000, '1h': 3_600_000 }, '1s|2h|any'],
  probeDatabaseUrls: PROBES,
  sqlDir: [{ [tmpdir()]: tmpdir() }, '/no/such/folder|/etc/hostname'],
  host: HOST,
  port: PORT,
  opsHost: HOST,
  opsPort: PORT,
  cacheMaxBytes: BYTES,
  cacheMaxEntryBytes: BYTES,
  spoolMaxBytes: [{ '0': 0, '1GiB': 2 ** 30 }, '-1|2TiB|much'],
  allowTmpfs: [SWITCH, 'maybe|2'],
  reportPoolSize: [{ '1': 1, '500': 500 }, '0|501|2.5|two'],
  gatewayCount: [{ '1': 1, '1000': 1000 }, '0|1001|2.5|two'],
  queueTimeoutMs: WAIT,
  maxConnections: [{ '1': 1, '10000': 10_000 }, '0|-1|all'],
  maxRequestsPerOrganization: [{ '1': 1, '256': 256 }, '0|many'],
  trustProxy: [
    { '10.0.0.1': ['10.0.0.1'], '10.0.0.0/8, ::1': ['10.0.0.0/8', '::1'] },
    '10.0.0.0/33|::/129|proxy|1|10.0.0.1/|10.0.0.1,|10.0.0.1/8/8',
  ],
  corsOrigins: [
    { 'https://a.example,http://b:81': ['https://a.example', 'http://b:81'] },
    '*|null|a.example|https://a.example/|https://A.example|https://a.example:443|ftp://a',
  ],
  fastPath: [{ on: 'on', OFF: 'off' }, 'yes|auto'],
  explorer: [{ on: 'on', OFF: 'off' }, 'yes|auto'],
  drainDelayMs: DURATION,
  logLevel: [{ trace: 'trace', WARN: 'warn', silent: 'silent' }, 'loud|30'],
  allowPrimary: [SWITCH, 'maybe|2'],
}

describe('settings of serving', () => {
  it('do not stop author commands, and all others do', () => {
    for (const [key, [, bad]] of Object.entries(CASES)) {
      const setting: Setting = SETTINGS[key as keyof typeof SETTINGS]
      const [text = ''] = bad.split('|')
      const reading = expect(() => readAuthorSettings({ DATABASE_URL, [setting.name]: text }))
      if (setting.ofCommands === true) reading.to.throw(`${setting.name} `)
      else reading.not.to.throw()
    }
    readAuthorSettings({ DATABASE_URL, TMPDIR: '/nowhere', FAST_PATH: '1', KEYS_POOL_SIZE: '1' })
  })
})

describe('settings', () => {
  for (const [key, [good, bad]] of Object.entries(CASES)) {
    const property = key as keyof typeof SETTINGS
    const { name } = SETTINGS[property]

    it(`accepts valid values of ${name}, and reports the expected value for invalid ones`, () => {
      for (const [text, value] of Object.entries(good)) {
        expect(read({ [name]: text })[property], text).to.deep.equal(value)
      }
      for (const text of bad.split('|')) {
        const problems = problemsOf({ DATABASE_URL, [name]: text })
        expect(problems, text).to.have.lengthOf(1)
        expect(problems[0], text).to.match(new RegExp(`^${name} .*: expected `))
      }
    })
  }
})
