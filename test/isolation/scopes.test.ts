// A key with a value of each shipped parameter reads what the parameter selects, of the reports that declare it.
import { expect } from 'chai'
import { OF_LAST_TWELVE_MONTHS } from '../harness/last-twelve-months.ts'
import { gatewayOfBlock } from '../harness/shops-gateway.ts'
import { sharedCluster } from '../harness/cluster.ts'
import { run } from '../harness/shops.ts'
import { ourCatalog } from '../sql/subject.ts'

const WHOLE = { key: 'sk_demo_business' }
const PATHS = ['', '.ndjson', '.csv', '.xlsx', '.parquet', '/schema', '/parameters']

describe('a scope over the shipped definitions', () => {
  const world = gatewayOfBlock({}, { database: 'demo' })
  const { reports, metrics } = ourCatalog()
  const declared = [...reports.values()].flatMap(({ parameters }) => parameters)
  const key = 'a key of the test'

  after(async () => {
    const { primaryUrl } = await sharedCluster()
    await run(primaryUrl, `delete from api_keys where key_sha256 = sha256('${key}')`)
  })

  for (const name of new Set(declared.map(parameter => parameter.name)))
    it(`reads what ${name} selects, and nothing else`, async () => {
      const { ask } = world
      const readable = [...reports.values()].filter(({ parameters }) =>
        parameters.some(parameter => parameter.name === name),
      )
      const { json } = await ask(`/reports/${readable[0]!.code}/parameters`, WHOLE)
      const { values } = json.parameters.find((one: { name: string }) => one.name === name)
      const [{ value }, other] = values
      const cluster = await sharedCluster()
      await run(
        cluster.primaryUrl,
        `insert into api_keys (organization_id, key_sha256, parameters)
         select organization_id, sha256('${key}'), '${JSON.stringify({ [name]: value })}'::jsonb
         from api_keys where key_sha256 = sha256('sk_demo_business')
         on conflict (key_sha256) do update set parameters = excluded.parameters`,
      )
      await cluster.replicaCaughtUp()
      const own = (path: string) => ask(path, { key })
      expect((await own('/metrics')).json.metrics).to.deep.equal([])
      expect((await own(`/metrics?codes=${[...metrics.keys()][0]}`)).status).to.equal(403)
      const listed = (await own('/reports')).json.reports.map((one: { code: string }) => one.code)
      expect(listed).to.have.members(readable.map(({ code }) => code))
      for (const { code } of reports.values())
        for (const path of PATHS) {
          const query = path.startsWith('/') ? '' : `?${OF_LAST_TWELVE_MONTHS}`
          const answer = await own(`/reports/${code}${path}${query}`)
          expect(answer.status, code + path).to.equal(listed.includes(code) ? 200 : 403)
          if (query === '' || answer.status === 403) continue
          const selected = await ask(`/reports/${code}${path}${query}&${name}=${value}`, WHOLE)
          expect(answer.headers.get('ETag')).to.equal(selected.headers.get('ETag'))
          const wrong = await own(`/reports/${code}${path}${query}&${name}=${other.value}`)
          expect(wrong.status).to.equal(400)
        }
    }).timeout(60_000)
})
