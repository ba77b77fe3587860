@echo off
rem Runs one of Patchbay's programs with the app's own binary as Node. Which one is told by this file's name.
setlocal
set "ELECTRON_RUN_AS_NODE=1"
"%~dp0..\..\Patchbay.exe" "%~dp0..\lib\%~n0.mjs" %*
exit /b %ERRORLEVEL%
