import { expect } from 'chai'
import { overTls, standbyWithTls } from '../support/tls.ts'
import { connected, connectionStream, hexRows, slices } from './rows.ts'

const ROWS = `select n, 'aя€🙂' || n, null, repeat('ш', n) from generate_series(1, 2000) as n`

describe('rows as bytes, over TLS', () => {
  const standby = standbyWithTls()

  it('are the same by the tap as by way of pg', async () => {
    const url = overTls(standby.cluster.replicaUrl)
    const answers = []
    for (const [way, cut] of [['pg'], ['tap'], ['tap', slices(7)]] as const) {
      const client = await connected(url, way, cut)
      expect(connectionStream(client)).to.have.property('encrypted', true)
      answers.push(await hexRows(client, ROWS))
      await client.end()
    }
    expect(answers[0]).to.have.length(2000)
    expect(answers[1]).to.deep.equal(answers[0])
    expect(answers[2]).to.deep.equal(answers[0])
  })
})
