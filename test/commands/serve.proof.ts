import { expect } from 'chai'
import { startGateway } from '../harness/gateway.ts'
import { sendRaw } from '../harness/raw-socket.ts'

const PIPELINED = 20
const ROUNDS = 100
const CONNECTIONS = 10
const COUNT = PIPELINED * ROUNDS * CONNECTIONS

const REQUEST = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n'
const PIPELINE = `${`${REQUEST}\r\n`.repeat(PIPELINED - 1)}${REQUEST}Connection: close\r\n\r\n`

describe('svodka serve with an unread log', () => {
  it('delays no request, and counts the dropped lines', async function () {
    this.timeout(120_000)
    const gateway = await startGateway({ LOG_LEVEL: 'debug' }, { as: 'process' })
    const { url, opsUrl } = gateway
    gateway.child.stdout!.pause()
    let answered = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = Array.from({ length: CONNECTIONS }, () => sendRaw(url, PIPELINE))
      answered += (await Promise.all(all)).join('').split('"code":"not_found"').length - 1
    }
    expect(answered).to.equal(COUNT)
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text()
    const dropped = Number(/^svodka_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1])
    expect(dropped).to.be.above(100)
    gateway.child.stdout!.resume()
    gateway.child.kill('SIGINT')
    expect(await gateway.exit).to.equal(0)
    expect(gateway.out.match(/"problem":"not_found"/g)).to.have.length(COUNT - dropped)
  })
})
