import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { gatewayOfBlock, gatewaysOfTests } from '../harness/shops-gateway.ts'

const FOREVER = 'public, max-age=31536000, immutable'

describe('the page for people', () => {
  const start = gatewaysOfTests()
  const world = gatewayOfBlock({ EXPLORER: 'on' })
  const request = (path: string, init?: RequestInit) => fetch(`${world.gateway.url}${path}`, init)
  const pathsIn = (html: string) =>
    [...html.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path]) => path!)

  it('is 404 as any other path unless it is on', async () => {
    const { gateway } = await start({ EXPLORER: 'off' })
    for (const absent of [
      fetch(`${gateway.url}/`),
      request('/assets/0/main.js'),
      request('/index.html'),
    ]) {
      const { status, headers, url } = await absent
      expect(status, url).to.equal(404)
      expect(headers.get('Content-Type')).to.equal('application/problem+json; charset=utf-8')
      expect(headers.get('Content-Security-Policy')).to.equal(null)
    }
  })

  it('needs no key, sets no cookie and allows nothing but its own files', async () => {
    const withKey = { headers: { Authorization: 'Bearer none' } }
    const { status, headers } = await request('/?report=receipts', withKey)
    expect(status).to.equal(200)
    const policy = headers.get('Content-Security-Policy')!
    expect(policy).to.match(/^default-src 'none'; .*require-trusted-types-for 'script'/)
    for (const one of ['base-uri', 'form-action', 'frame-ancestors'])
      expect(policy).to.contain(`${one} 'none'`)
    expect(policy).to.not.match(/unsafe|https?:|\*/)
    expect(headers.get('Set-Cookie')).to.equal(null)
    expect(Object.fromEntries(headers)).to.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      vary: 'Accept-Encoding, Accept-Language',
    })
  })

  it('has the language that Accept-Language prefers', async () => {
    const languageOf = async (accepted: string) => {
      const html = await (await request('/', { headers: { 'Accept-Language': accepted } })).text()
      return /<html lang="(\w+)"/.exec(html)?.[1]
    }
    expect(await languageOf('ru-RU')).to.equal('ru')
    expect(await languageOf('de, en;q=0.8')).to.equal('en')
  })

  it('names files that never change', async () => {
    const files = pathsIn(await (await request('/')).text())
    expect(files.join(' ')).to.contain('/main.js').and.contain('/style.css')
    for (const file of files) {
      expect(file).to.match(/^\/assets\/[0-9a-f]{16}\//)
      const { status, headers } = await request(file)
      expect([status, headers.get('Cache-Control')], file).to.deep.equal([200, FOREVER])
      expect(headers.get('Content-Type')).to.match(/^text\/(?:javascript|css); charset=utf-8$/)
      expect(headers.get('Cross-Origin-Resource-Policy')).to.equal('same-origin')
      expect(headers.get('X-Content-Type-Options')).to.equal('nosniff')
    }
  })

  it('is compressed, revalidated by its ETag, and only read', async () => {
    const paths = pathsIn(await (await request('/')).text())
    const style = paths.find(path => path.endsWith('.css'))!
    const coded = (coding: string) => ({ 'Accept-Encoding': coding })
    const gzipped = await request(style, { headers: coded('gzip') })
    const plain = await request(style, { headers: coded('identity') })
    expect(gzipped.headers.get('Content-Encoding')).to.equal('gzip')
    expect(await gzipped.text()).to.equal(await plain.text())
    const headers = { ...coded('gzip'), 'If-None-Match': gzipped.headers.get('ETag')! }
    expect((await request(style, { headers })).status).to.equal(304)
    const head = await request('/', { method: 'HEAD' })
    expect([head.status, await head.text()]).to.deep.equal([200, ''])
    const post = await request('/', { method: 'POST' })
    expect([post.status, post.headers.get('Allow')]).to.deep.equal([405, 'GET, HEAD'])
  })

  it('is small: as gzip its first view has at most 50 KB, and everything at most 150 KB', async () => {
    const html = await (await request('/')).text()
    const paths = new Set(pathsIn(html))
    const firstCount = paths.size
    const main = [...paths].find(path => path.endsWith('/main.js'))!
    for (const name of ['kit', 'tools', 'templates'])
      paths.add(main.replace(/serve\/.*/, `kit/${name}.js`))
    let [bytes, firstBytes] = [gzipSync(html).length, 0]
    for (const path of paths) {
      const response = await request(path)
      const text = await response.text()
      expect(response.status, path).to.equal(200)
      bytes += gzipSync(text).length
      // why: a set also visits what is added meanwhile
      for (const [, name] of text.matchAll(/^import .* from '\.\/(.*)';$/gm))
        paths.add(path.replace(/[^/]*$/, name!))
      if (path === [...paths][firstCount - 1]) firstBytes = bytes
    }
    expect(firstCount).to.be.greaterThan(10)
    expect(firstBytes).to.be.within(1, 50 * 1024)
    expect(bytes).to.be.lessThan(150 * 1024)
  })

  it('leaves the API as it is', async () => {
    const { status, headers } = await request('/api/public/v1/ping')
    expect(status).to.equal(401)
    expect(headers.get('Content-Security-Policy')).to.equal(null)
  })
})
