// A check whose database goes away, or has no word to say, on its way.
import { createServer, connect, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect } from 'chai'
import { sharedCluster } from '../support/cluster.ts'
import { svodka } from '../support/svodka.ts'

/** Passes bytes on to the standby, until the client has said a word. */
async function proxy(
  target: URL,
  word: string,
  then: (client: Socket, standby: Socket) => void,
): Promise<Server> {
  const server = createServer(client => {
    const standby = connect(Number(target.port), target.hostname)
    for (const socket of [client, standby]) socket.on('error', () => {})
    standby.pipe(client)
    client.on('data', bytes => {
      if (bytes.includes(word)) then(client, standby)
      else standby.write(bytes)
    })
    client.on('close', () => standby.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

describe('svodka check whose database goes away', () => {
  it('says what it has found and what the text tells of the rest, and ends with 3', async function () {
    this.timeout(30_000)
    const { urlFor } = await sharedCluster()
    const standby = new URL(urlFor('svodka_reports', 'replica'))
    const server = await proxy(standby, 'tasks.due_on', client => client.destroy())
    const { port } = server.address() as { port: number }
    const through = new URL(standby)
    through.host = `127.0.0.1:${port}`
    const { code, stdout, stderr } = await svodka(['check', 'deals', 'tasks'], {
      DATABASE_URL: through.href,
      KEYS_DATABASE_URL: urlFor('svodka_keys', 'replica'),
    })
    server.close()
    expect([code, stdout]).to.deep.equal([3, ''])
    expect(stderr).to.equal(
      '2 definitions checked 1 of them on the replica at DATABASE_URL, the rest without a database: no findings\n' +
        'The database cannot be asked: Connection terminated unexpectedly\n',
    )
  })
})
