/** The page for people and its files, which need no key: the page asks for one and sends it with each request. */
import { createBytes } from './described-bytes.ts'
import { chooseLanguage } from './negotiation.ts'
import type { Language } from './negotiation.ts'
import { PAGE_HEAD, readPageFiles } from './page-files.ts'

type PageRoute = ReturnType<typeof createBytes>

/** A year, as the path changes with the bytes. */
const FOREVER = 'public, max-age=31536000, immutable'
const ASSET_HEAD = ['Vary', 'Accept-Encoding', 'Cache-Control', FOREVER]
const HTML_HEAD = [
  ...PAGE_HEAD,
  'Vary',
  'Accept-Encoding, Accept-Language',
  'Cache-Control',
  'no-cache',
]

/** The routes of the page by path. @throws Error if the build lacks its files */
export function createPageRoutes(): ReadonlyMap<string, PageRoute> {
  const { assets, html } = readPageFiles()
  const htmlFor = (language: Language) =>
    createBytes(html(language), contentType('html'), HTML_HEAD)
  const pages = { ru: htmlFor('ru'), en: htmlFor('en') }
  const routes = new Map<string, PageRoute>([
    ['/', exchange => pages[chooseLanguage(exchange.request.headers.acceptLanguage)](exchange)],
  ])
  for (const [path, text] of assets) {
    const type = contentType(path.endsWith('.css') ? 'css' : 'javascript')
    routes.set(path, createBytes(text, type, ASSET_HEAD))
  }
  return routes
}

function contentType(subtype: string): string {
  return `text/${subtype}; charset=utf-8`
}
