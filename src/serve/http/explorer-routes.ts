/** The page for people and its files, which need no key: the page asks for one and sends it with each request. */
import { readPageFiles, PAGE_HEAD } from './page-files.ts'
import type { ApiMiddleware } from './active-requests.ts'
import { createMemoryBody } from '../report/body.ts'
import { sendCompressed } from './compressed-bytes.ts'
import { chooseLanguage } from './negotiation.ts'
import { setAll } from './response-head.ts'

/** A year, as the path changes with the bytes. */
const FOREVER = 'public, max-age=31536000, immutable'

/** @throws Error if the build lacks its files */
export function explorer(onlyRead: ApiMiddleware): ApiMiddleware {
  const { assets, html } = readPageFiles()
  const sendPage: ApiMiddleware = ctx => {
    setAll(ctx.res, PAGE_HEAD)
    ctx.set('Vary', 'Accept-Encoding, Accept-Language')
    const { body, contentType } = pages[chooseLanguage(ctx.headers['accept-language'])]
    return sendCompressed(ctx, body, { contentType, cacheControl: 'no-cache' })
  }
  const pages = { ru: bodyOf(html.ru), en: bodyOf(html.en) }
  const files = new Map([['/', sendPage]])
  for (const [assetPath, file] of assets) {
    const { body, contentType } = bodyOf(file)
    files.set(assetPath, ctx => {
      ctx.set('Vary', 'Accept-Encoding')
      return sendCompressed(ctx, body, { contentType, cacheControl: FOREVER })
    })
  }
  return async (ctx, next) => {
    const send = files.get(ctx.path)
    if (send === undefined) return next()
    ctx.state.route = 'page'
    await onlyRead(ctx, async () => send(ctx, next))
  }
}

function bodyOf({ text, contentType }: { readonly text: string; readonly contentType: string }) {
  return { body: createMemoryBody(Buffer.from(text)), contentType }
}
