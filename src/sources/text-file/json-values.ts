import { textChunks } from './chunks.js'
import { createJsonSplitter, type JsonPiece, type SplitOptions } from './json-splitter.js'

/**
 * The JSON values of a text file, one at a time and each with its place: one document, one a line, several one after the
 * other, or the items of one outermost array. Long lists inside a document can be taken out of it and given item by item.
 * Nothing but the value at hand is held. Throws `ledger_unreadable`; what is no JSON is a piece of its own.
 */
export async function* jsonValues(path: string, options: SplitOptions = {}): AsyncGenerator<JsonPiece> {
  const found: JsonPiece[] = []
  const splitter = createJsonSplitter(options, piece => found.push(piece))
  for await (const chunk of textChunks(path)) {
    splitter.write(chunk)
    yield* found.splice(0)
  }
  splitter.end()
  yield* found
}
