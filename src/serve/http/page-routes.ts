/** The page for people and its files, which need no key: the page asks for one and sends it with each request. */
import { createBytes } from './described-bytes.ts'
import { chooseLanguage } from './negotiation.ts'
import { PAGE_HEAD, readPageFiles } from './page-files.ts'
import type { PageFile } from './page-files.ts'
import type { Request } from './request.ts'
import type { Response } from './response.ts'

type PageRoute = (request: Request) => Promise<Response>

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
  const pages = { ru: create(html.ru, HTML_HEAD), en: create(html.en, HTML_HEAD) }
  const routes = new Map<string, PageRoute>([
    ['/', request => pages[chooseLanguage(request.headers.acceptLanguage)](request)],
  ])
  for (const [path, file] of assets) routes.set(path, create(file, ASSET_HEAD))
  return routes
}

function create({ text, contentType }: PageFile, head: readonly string[]): PageRoute {
  const respond = createBytes(text, contentType, head)
  return request => {
    request.fact.route = 'page'
    return respond(request)
  }
}
