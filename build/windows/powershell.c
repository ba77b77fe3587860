/*
 * Replaces powershell.exe under Wine, which has none. Supports the one query that Patchbay makes: the list of processes
 * (electron/engine/store/windows-processes.ts). TEST_POWERSHELL=fail makes it fail, TEST_POWERSHELL=<milliseconds> delays
 * its answer, and each run adds a line to the file named in TEST_POWERSHELL_LOG.
 */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>
#include <psapi.h>
#include <tlhelp32.h>

static unsigned long long ticks(FILETIME time) {
  return ((unsigned long long)time.dwHighDateTime << 32) | time.dwLowDateTime;
}

static void tell(const PROCESSENTRY32W *entry) {
  FILETIME created = {0}, ended, kernel = {0}, user = {0};
  PROCESS_MEMORY_COUNTERS memory = {0};
  wchar_t path[2048] = L"";
  char utf8[6144] = "", name[1024] = "";
  DWORD size = 2048;
  HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, entry->th32ProcessID);
  if (process != NULL) {
    GetProcessTimes(process, &created, &ended, &kernel, &user);
    K32GetProcessMemoryInfo(process, &memory, sizeof memory);
    QueryFullProcessImageNameW(process, 0, path, &size);
    CloseHandle(process);
  }
  WideCharToMultiByte(CP_UTF8, 0, path, -1, utf8, sizeof utf8, NULL, NULL);
  WideCharToMultiByte(CP_UTF8, 0, entry->szExeFile, -1, name, sizeof name, NULL, NULL);
  printf("%lu %lu %llu %llu %llu %s|%s\r\n", entry->th32ProcessID, entry->th32ParentProcessID, ticks(created),
         ticks(kernel) + ticks(user), (unsigned long long)memory.WorkingSetSize, name, utf8);
}

int wmain(void) {
  const wchar_t *mood = _wgetenv(L"TEST_POWERSHELL"), *log = _wgetenv(L"TEST_POWERSHELL_LOG");
  FILE *noted = log == NULL ? NULL : _wfopen(log, L"a");
  if (noted != NULL) {
    fputs("asked\n", noted);
    fclose(noted);
  }
  if (mood != NULL && wcscmp(mood, L"fail") == 0) return 1;
  if (mood != NULL) Sleep(_wtoi(mood));
  PROCESSENTRY32W entry = {.dwSize = sizeof entry};
  HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  for (BOOL more = Process32FirstW(all, &entry); more; more = Process32NextW(all, &entry)) tell(&entry);
  return 0;
}
