/**
 * The words of a command line up to the cursor, the program's name left out; the last one is being typed and may be
 * empty. Quotes and backslashes are undone as a shell would; nothing is expanded.
 */
export function splitLine(line: string): string[] {
  const words: string[] = []
  let word = ''
  let isWord = false
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? ''
    if (char === '\\' && quote !== "'") {
      word += line[++i] ?? ''
      isWord = true
    } else if (char === quote) {
      quote = ''
    } else if (quote === '' && (char === '"' || char === "'")) {
      quote = char
      isWord = true
    } else if (quote === '' && /\s/.test(char)) {
      if (isWord) words.push(word)
      word = ''
      isWord = false
    } else {
      word += char
      isWord = true
    }
  }
  return [...words, word].slice(1)
}
