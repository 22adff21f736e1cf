/** The folder of a file of a plan, as its states name theirs. */
export function folderOfFile(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.';
}
